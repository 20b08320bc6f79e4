import { ownerName } from '../../format/words.ts'

/** What no node, pool or team has: volumes that are on none, workloads that nobody has claimed. */
const ofNone: Record<string, string> = { node: 'on no node', node_pool: 'in no pool', team: 'without a team' }

/** In charts there is little room: shop/Deployment/web is shop/web, and a node is known by its host. */
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
