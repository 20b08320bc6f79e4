import { ownerName } from '../../format/words.ts'

/** In charts there is little room: shop/Deployment/web is shop/web, and a node is known by its host. */
export function shortOwner(name: string, by: string): string {
  if (by === 'workload')
    return name
      .split('/')
      .filter((_part, index) => index !== 1)
      .join('/')
  return by === 'node' ? (name.split('.')[0] ?? name) : ownerName(name)
}
