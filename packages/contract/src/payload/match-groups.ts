/** A node pool, and the names of its nodes. */
type PoolNodes = { readonly pool: string; readonly nodes: readonly string[] }

/**
 * The node groups of the cluster-autoscaler that form a pool. Each cloud derives the names of nodes and groups
 * differently. A group with an unknown name format matches only a pool of the same name.
 */
export function matchGroups<Group extends { readonly name: string }>(
  groups: readonly Group[],
  pool: PoolNodes,
): Group[] {
  return groups.filter(({ name }) => isGroupOf(name, pool))
}

function isGroupOf(name: string, { pool, nodes }: PoolNodes): boolean {
  const group = name.split('/').at(-1) ?? name
  if (pool !== '' && (group === pool || isEksGroup(group, pool))) return true
  const isOwnNode = isGceGroup(name) ? isGceNode : isAksGroup(group, pool) ? isAksNode : () => false
  return nodes.some((node) => isOwnNode(node, group))
}

/** Managed node groups of EKS: `eks-<node group>-<uuid>`. */
function isEksGroup(group: string, pool: string): boolean {
  const prefix = `eks-${pool}-`
  return group.startsWith(prefix) && UUID.test(group.slice(prefix.length))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Managed instance groups of Google Cloud are named by URL. */
const isGceGroup = (name: string) => /\/instanceGroup(Manager)?s\/[^/]+$/.test(name)

/** `gke-shop-web-1a2b3c4d-x7k2` is a node of the group `gke-shop-web-1a2b3c4d-grp`. */
function isGceNode(node: string, group: string): boolean {
  const prefix = `${group.replace(/-grp$/, '')}-`
  return node.startsWith(prefix) && /^[0-9a-z]{4}$/.test(node.slice(prefix.length))
}

/** Scale sets of AKS: `aks-<pool>-<8 digits>-vmss`, and `aks<pool>` where the nodes run Windows. */
const isAksGroup = (group: string, pool: string) =>
  /^aks-[0-9a-z]+-[0-9]{8}-vmss$/.test(group) || (pool !== '' && group === `aks${pool}`)

/** `aks-work-12345678-vmss00000a` is a node of the group `aks-work-12345678-vmss`. */
const isAksNode = (node: string, group: string) =>
  node.startsWith(group) && /^[0-9a-z]{6}$/.test(node.slice(group.length))
