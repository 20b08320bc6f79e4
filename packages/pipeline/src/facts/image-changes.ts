import type { ContainerShape } from '@plimsoll/contract'
import { groupBy, SECONDS_PER_DAY } from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type PodRecord } from '../fold/inventory.ts'
import { pathOf } from './living-pods.ts'

/** As long as pods that have ended are remembered. */
const daysLookedBack = 2
/** Of so many images in these days none is an event: whoever releases daily would never be advised. */
const imagesOfRegularReleases = 3

/**
 * Since when a container runs the image of the newest pod, if pods of the last day ran another one: what that one used proves
 * nothing about this one. Null where nobody tells which image it is, it has been the same for longer, or a new one is usual.
 */
export function imageChanges({
  inventory,
  watermark,
}: Pick<FoldState, 'inventory' | 'watermark'>): (newest: PodRecord, container: ContainerShape) => number | null {
  const lately = [...inventory.pods.values()].filter(
    (pod) => paidUntil(pod) > watermark - daysLookedBack * SECONDS_PER_DAY,
  )
  const byWorkload = groupBy(lately, pathOf)
  return (newest, { name, image }) => {
    if (image === undefined) return null
    const pods = (byWorkload.get(pathOf(newest)) ?? []).flatMap((pod) => {
      const own = pod.versions.at(-1)?.facts.shape.containers.find((each) => each.name === name)?.image
      return own === undefined ? [] : [{ image: own, boundAt: pod.boundAt, until: paidUntil(pod) }]
    })
    if (new Set(pods.map((pod) => pod.image)).size >= imagesOfRegularReleases) return null
    if (pods.every((pod) => pod.image === image || pod.until <= watermark - SECONDS_PER_DAY)) return null
    // One by one: as arguments of a function, the pods of a large workload would be too many.
    return pods.reduce((first, pod) => (pod.image === image ? Math.min(first, pod.boundAt) : first), Infinity)
  }
}
