import type { ContainerShape } from '@plimsoll/contract'
import { groupBy } from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type PodRecord } from '../fold/inventory.ts'
import { pathOf } from './living-pods.ts'

const secondsLookedBack = 24 * 3600

/**
 * Since when a container runs the image of the newest pod, if pods of the last day ran another one: what that one used proves
 * nothing about this one. Null where nobody tells which image it is, or it has been the same for longer.
 */
export function imageChanges({
  inventory,
  watermark,
}: Pick<FoldState, 'inventory' | 'watermark'>): (newest: PodRecord, container: ContainerShape) => number | null {
  const lately = [...inventory.pods.values()].filter((pod) => paidUntil(pod) > watermark - secondsLookedBack)
  const byWorkload = groupBy(lately, pathOf)
  return (newest, { name, image }) => {
    if (image === undefined) return null
    const pods = (byWorkload.get(pathOf(newest)) ?? []).flatMap((pod) => {
      const own = pod.versions.at(-1)?.facts.shape.containers.find((each) => each.name === name)?.image
      return own === undefined ? [] : [{ image: own, boundAt: pod.boundAt }]
    })
    if (pods.every((pod) => pod.image === image)) return null
    // One by one: as arguments of a function, the pods of a large workload would be too many.
    return pods.reduce((first, pod) => (pod.image === image ? Math.min(first, pod.boundAt) : first), Infinity)
  }
}
