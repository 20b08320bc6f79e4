import type { ObjectSpec } from '@plimsoll/contract'

export type NodeGroup = ObjectSpec<'cluster_autoscaler'>['groups'][number]

type Pool = { readonly pool: string; readonly nodes: readonly string[] }

/**
 * The groups of the cloud that make up a pool. The cluster-autoscaler names groups as the cloud does: a managed instance group of
 * GKE and a scale set of AKS begin the names of their nodes, a managed node group of EKS is named in its Auto Scaling group.
 */
export function matchGroups(groups: readonly NodeGroup[], pool: Pool): NodeGroup[] {
  return groups.filter(({ name }) => isOf(name.split('/').at(-1) ?? name, pool))
}

function isOf(group: string, { pool, nodes }: Pool): boolean {
  if (pool !== '' && (group === pool || isEksGroup(group, pool))) return true
  const machines = group.endsWith('-grp') ? `${group.slice(0, -'grp'.length)}` : group
  return nodes.some((node) => node.startsWith(machines) && isOrdinal(node.slice(machines.length)))
}

/** `eks-<node group>-<uuid>` */
function isEksGroup(group: string, pool: string): boolean {
  const prefix = `eks-${pool}-`
  return group.startsWith(prefix) && UUID.test(group.slice(prefix.length))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What clouds append to the name of a group for each machine: `x7k2` on GKE, `00000a` on AKS. */
const isOrdinal = (rest: string) => /^[0-9a-z]{1,8}$/.test(rest)
