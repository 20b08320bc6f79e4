import type { ContainerShape } from '@plimsoll/contract'
import { groupBy, SECONDS_PER_DAY } from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type PodRecord } from '../fold/inventory.ts'
import { pathOf } from './living-pods.ts'

/** As long as the state keeps ended pods. */
const daysLookedBack = 2
/**
 * With this many images in these days a new image is routine. Workloads with daily releases would otherwise never get a
 * recommendation.
 */
const imagesOfRegularReleases = 3

/**
 * When a container started to run the image of its newest pod, if pods of the last day ran another image. Usage of the
 * old image proves nothing about the new one. Null where the image is unknown, has not changed lately, or changes
 * routinely.
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
    // A loop, because the pods of a large workload exceed the argument limit of a function.
    return pods.reduce((first, pod) => (pod.image === image ? Math.min(first, pod.boundAt) : first), Infinity)
  }
}
