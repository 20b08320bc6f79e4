import type { Me } from '@plimsoll/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from '@plimsoll/client'
import { api } from './client.ts'

const halfDayMs = 12 * 3_600_000

/** Null: not signed in. A session that expires today is renewed while the page is open. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Me | null> => {
    if (!hasSignedInCookie(document.cookie)) return null
    const me = await api.getMe().catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error
      deleteSignedInCookie()
      return null
    })
    if (me && endsSoon(me)) await api.refreshSession().catch(() => undefined)
    return me
  },
  staleTime: 5 * 60_000,
})

/** How users of this installation sign in. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => api.listSignInMethods(),
})

const signedInCookie = 'plimsoll_signed_in'

/** Scripts cannot read the session cookie; without the second cookie there is no session. */
export const hasSignedInCookie = (cookies: string) =>
  cookies.split('; ').some((each) => each.startsWith(`${signedInCookie}=`))

/** Removes the second cookie after its session ended. */
function deleteSignedInCookie(): void {
  document.cookie = `${signedInCookie}=; path=/; max-age=0`
}

const endsSoon = ({ credential }: Me) =>
  credential.expires_at !== null && new Date(credential.expires_at).getTime() - new Date().getTime() < halfDayMs

export const signIn = (email: string, password: string) => api.signIn({ body: { email, password, cookie: true } })

export const acceptLink = (code: string, password: string, email: string | undefined) =>
  api.acceptLink({ body: { code, password, cookie: true, ...(email === undefined ? {} : { email }) } })

export const signOut = () => api.signOut()

/** The permissions of the user: buttons that would answer 403 are hidden. */
export function useMay(): (permission: string) => boolean {
  const { data } = useQuery(sessionQuery)
  const permissions = new Set(data?.permissions)
  return (permission) => permissions.has(permission)
}

/** The namespaces of a limited role; null: not limited. */
export function useNarrowed(): readonly string[] | null {
  const { data } = useQuery(sessionQuery)
  return data?.namespaces ?? null
}

/** Whether the role sees only a part of its clusters: figures of nodes and of whole clusters answer 403. */
export function useIsLimited(): boolean {
  const { data } = useQuery(sessionQuery)
  return data !== undefined && data !== null && isLimited(data)
}

export const isLimited = ({ namespaces, teams }: Pick<Me, 'namespaces' | 'teams'>) =>
  namespaces !== null || teams !== null

/** Whether the user may set a policy for a namespace, or, with null, for the whole cluster. */
export function useMaySetPolicy(namespace: string | null): boolean {
  const { data } = useQuery(sessionQuery)
  return data !== undefined && data !== null && maySetPolicy(data, namespace)
}

/** A role that is limited to teams sets no policies, because a namespace can have workloads of several teams. */
export function maySetPolicy(
  { permissions, namespaces, teams }: Pick<Me, 'permissions' | 'namespaces' | 'teams'>,
  namespace: string | null,
): boolean {
  if (!permissions.includes('settings:write') || teams !== null) return false
  return namespaces === null || (namespace !== null && namespaces.includes(namespace))
}
