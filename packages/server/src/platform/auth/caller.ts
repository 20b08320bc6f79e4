import type { Permission } from '@plimsoll/contract'

/** The permissions of the role, minus those that the credential drops. `null`: not restricted. */
export type Grant = {
  permissions: ReadonlySet<Permission>
  clusters: readonly string[] | null
  namespaces: readonly string[] | null
  teams: readonly string[] | null
}

export type UserCaller = Grant & {
  kind: 'person' | 'api_key'
  userId: string
  email: string
  role: string
  credentialId: string
  credentialExpiresAt: Date | null
}

export type AgentCaller = Grant & { kind: 'agent'; clusterId: string; credentialId: string }

export type Caller = UserCaller | AgentCaller

/** Identifies one user with any credential, or one agent; limits per caller use it. */
export const callerIdOf = (caller: Caller) => (caller.kind === 'agent' ? caller.credentialId : caller.userId)

/** Nodes, idle cost and sums of a cluster need such a role. */
export const seesWholeClusters = ({ namespaces, teams }: Pick<Grant, 'namespaces' | 'teams'>) =>
  namespaces === null && teams === null

export const maySeeCluster = (caller: Grant, clusterId: string) =>
  caller.clusters === null || caller.clusters.includes(clusterId)

/** No caller grants or manages more than they have: every permission, and no wider part of the fleet. */
export function covers(holder: Grant, wanted: Grant): boolean {
  return (
    [...wanted.permissions].every((permission) => holder.permissions.has(permission)) &&
    coversPart(holder.clusters, wanted.clusters) &&
    coversPart(holder.namespaces, wanted.namespaces) &&
    coversPart(holder.teams, wanted.teams)
  )
}

function coversPart(holder: readonly string[] | null, wanted: readonly string[] | null): boolean {
  return holder === null || (wanted?.every((name) => holder.includes(name)) ?? false)
}
