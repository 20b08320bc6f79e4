import { rereadFile, type RereadFile } from '../reread-file.ts'
import { runExecPlugin, type ExecCredential, type ExecPlugin } from './exec-plugin.ts'

/** The part of a request that a login provides. */
export type LoginPart = { readonly authorization?: string; readonly cert?: string; readonly key?: string }

export type Login = { part(): Promise<LoginPart>; forget(): void }

export const anonymous: Login = { part: async () => ({}), forget: () => undefined }

export const fixedLogin = (authorization: string): Login => ({ ...anonymous, part: async () => ({ authorization }) })

/** As in kubectl, the file wins over the fixed token, which is used while the file is unreadable. */
export function tokenFileLogin(path: string, now: () => number, fixedToken?: string): Login {
  const file: RereadFile = rereadFile(path, now)
  const read = async () => {
    const token = (await file.read()).toString().trim()
    if (token === '') throw new Error(`The token file ${path} of the kubeconfig is empty.`)
    return token
  }
  return {
    part: async () => {
      const token = await read().catch((error: unknown) => {
        if (fixedToken !== undefined) return fixedToken
        throw error
      })
      return { authorization: `Bearer ${token}` }
    },
    forget: () => file.forget(),
  }
}

export type ExecLoginOptions = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  readonly run?: (plugin: ExecPlugin, env: ExecLoginOptions['env']) => Promise<ExecCredential>
}

/** The minimum interval after a rejected or failed login. Otherwise every watch would run the plugin. */
const rerunMs = 10_000

/** Runs the plugin once for all requests, and again after its credential expired or was rejected. */
export function execLogin(plugin: ExecPlugin, { env, now, run = runExecPlugin }: ExecLoginOptions): Login {
  let last: { readonly ranAt: number; readonly credential: Promise<ExecCredential> } | undefined
  let isForgotten = false
  let expiresAt: number | undefined
  let hasFailed = false
  const isDue = () => {
    if (!last) return true
    const hasExpired = expiresAt !== undefined && now() >= expiresAt
    // A wrong clock makes every credential look expired; the interval still limits the runs.
    return (hasExpired || isForgotten || hasFailed) && now() - last.ranAt >= rerunMs
  }
  const start = () => {
    isForgotten = false
    hasFailed = false
    expiresAt = undefined
    const credential = run(plugin, env)
    credential.then(
      (got) => (expiresAt = got.expiresAt),
      () => (hasFailed = true),
    )
    return { ranAt: now(), credential }
  }
  return {
    part: async () => {
      if (isDue()) last = start()
      const { token, cert, key } = (await last?.credential) ?? {}
      return {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(cert === undefined || key === undefined ? {} : { cert, key }),
      }
    },
    forget: () => (isForgotten = true),
  }
}
