import type { PackingPod } from '@plimsoll/engine/packing'
import type { NodeRecord } from '../fold/inventory.ts'
import { askedBy } from './asked-by.ts'
import type { History } from './history.ts'

/** How many times as much the machines of a pool carried in the busiest hour of the last month as in the last day. */
export const busiestOf = (nodes: readonly NodeRecord[], { classPeaks }: Pick<History, 'classPeaks'>): number =>
  nodes.reduce((most, { versions }) => Math.max(most, classPeaks.get(versions.at(-1)?.class.key ?? '') ?? 1), 1)

/**
 * The pods of a pool as in its busiest hour: those that are known to come again, and where these are not all, more of those
 * that are there. Which ones came a month ago is forgotten; how much they asked for is not.
 */
export function withBusiestHour(
  pods: readonly PackingPod[],
  coming: readonly PackingPod[],
  { factor, podsMax }: { factor: number; podsMax: number },
): PackingPod[] {
  const all = [...pods, ...coming]
  const like = pods.filter(({ owner }) => owner === 'controller')
  const now = askedBy(like)
  let { cpuMillicores, memoryKib } = askedBy([...like, ...coming])
  const isShort = () => cpuMillicores < factor * now.cpuMillicores || memoryKib < factor * now.memoryKib
  for (let index = 0; isShort() && all.length <= podsMax; index++) {
    const pod = like[index % like.length]
    if (!pod) break
    const asked = askedBy([pod])
    all.push({ ...pod, uid: `${pod.uid} busiest ${index}` })
    cpuMillicores += asked.cpuMillicores
    memoryKib += asked.memoryKib
  }
  return all
}
