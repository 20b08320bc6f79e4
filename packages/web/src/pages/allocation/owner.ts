import { ownerName } from '../../format/labels.ts'

/** Cost without a node, pool or team, such as volumes and workloads without an owner label. */
const ofNone: Record<string, string> = { node: 'no node', node_pool: 'no pool', team: 'no team' }

/** Short names for charts: shop/Deployment/web is shop/web, a node is shown by its host name. */
export function shortOwner(name: string, by: string): string {
  if (name === '__none__') return ofNone[by] ?? ownerName(name)
  if (name.startsWith('__')) return ownerName(name)
  if (by === 'workload')
    return name
      .split('/')
      .filter((_part, index) => index !== 1)
      .join('/')
  return by === 'node' ? (name.split('.')[0] ?? name) : name
}
