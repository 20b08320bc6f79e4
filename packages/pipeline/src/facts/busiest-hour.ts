import type { PackingPod } from '@plimsoll/engine/packing'
import type { NodeRecord } from '../fold/inventory.ts'
import { requestsOf } from './requests-of.ts'
import type { History } from './history.ts'

/** Ratio of the requests on a pool in the busiest hour of the last month to those of the last day. */
export const busiestOf = (nodes: readonly NodeRecord[], { classPeaks }: Pick<History, 'classPeaks'>): number =>
  nodes.reduce((most, { versions }) => Math.max(most, classPeaks.get(versions.at(-1)?.class.key ?? '') ?? 1), 1)

/**
 * The pods of a pool in its busiest hour: pods that are known to return, and copies of current pods for the rest.
 * Stored hours keep the requests of a month ago, not the pods.
 */
export function withBusiestHour(
  pods: readonly PackingPod[],
  coming: readonly PackingPod[],
  { factor, podsMax }: { factor: number; podsMax: number },
): PackingPod[] {
  const all = [...pods, ...coming]
  const like = pods.filter(({ owner }) => owner === 'controller')
  const now = requestsOf(like)
  let { cpuMillicores, memoryKib } = requestsOf([...like, ...coming])
  const isShort = () => cpuMillicores < factor * now.cpuMillicores || memoryKib < factor * now.memoryKib
  for (let index = 0; isShort() && all.length <= podsMax; index++) {
    const pod = like[index % like.length]
    if (!pod) break
    const requests = requestsOf([pod])
    all.push({ ...pod, uid: `${pod.uid} busiest ${index}` })
    cpuMillicores += requests.cpuMillicores
    memoryKib += requests.memoryKib
  }
  return all
}
