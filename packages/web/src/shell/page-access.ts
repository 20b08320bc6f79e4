import type { Me } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'

/** The part of the fleet that a page needs: a role limited to less gets no data. */
type Sees = 'any team' | 'any part' | 'whole clusters' | 'the whole fleet'

type PageAccess = { needs: string | null; sees: Sees }

/** What a page requires of a role. Menus, shortcuts and links omit pages that the viewer cannot open. */
const pageAccess = {
  '/': { needs: 'clusters:read', sees: 'whole clusters' },
  '/recommendations': { needs: 'recommendations:read', sees: 'any part' },
  '/allocation': { needs: 'reports:read', sees: 'any team' },
  '/changes': { needs: 'reports:read', sees: 'any team' },
  '/budgets': { needs: 'budgets:read', sees: 'any team' },
  '/statements': { needs: 'reports:read', sees: 'any team' },
  '/efficiency': { needs: 'clusters:read', sees: 'whole clusters' },
  '/nodes': { needs: 'clusters:read', sees: 'whole clusters' },
  '/savings': { needs: 'recommendations:read', sees: 'any part' },
  '/clusters': { needs: 'clusters:read', sees: 'any part' },
  '/clusters/new': { needs: 'clusters:write', sees: 'the whole fleet' },
  '/settings': { needs: null, sees: 'any team' },
  '/settings/profile': { needs: null, sees: 'any team' },
  '/settings/api-tokens': { needs: null, sees: 'any team' },
  '/settings/users': { needs: 'users:read', sees: 'the whole fleet' },
  '/settings/roles': { needs: 'roles:read', sees: 'the whole fleet' },
  '/settings/sign-in': { needs: 'settings:read', sees: 'the whole fleet' },
  '/settings/teams': { needs: 'reports:read', sees: 'any team' },
  '/settings/alerts': { needs: 'alerts:read', sees: 'any part' },
  '/settings/prices': { needs: 'billing:read', sees: 'whole clusters' },
  '/settings/policies': { needs: 'settings:read', sees: 'any part' },
  '/settings/audit': { needs: 'audit:read', sees: 'the whole fleet' },
} as const satisfies Record<string, PageAccess>

export type PagePath = keyof typeof pageAccess

export type Grant = Pick<Me, 'permissions' | 'clusters' | 'namespaces' | 'teams'>

export function mayOpen({ permissions, clusters, namespaces, teams }: Grant, page: PagePath): boolean {
  const { needs, sees } = pageAccess[page]
  if (needs !== null && !permissions.includes(needs)) return false
  if (sees === 'any team') return true
  if (teams !== null) return false
  if (sees === 'any part') return true
  return namespaces === null && (sees === 'whole clusters' || clusters === null)
}

export const permissionFor = (page: PagePath) => pageAccess[page].needs

export function useMayOpen(): (page: PagePath) => boolean {
  const { data } = useQuery(sessionQuery)
  return (page) => data !== undefined && data !== null && mayOpen(data, page)
}

/** Whether the viewer sees the bill of whole clusters. */
export function useMaySeeBill(): boolean {
  const { data } = useQuery(sessionQuery)
  return data?.namespaces === null && data.teams === null && data.permissions.includes('reports:read')
}
