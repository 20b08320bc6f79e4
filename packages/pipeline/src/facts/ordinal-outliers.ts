import { findOrdinalOutlier } from '@plimsoll/engine/rightsizing'
import type { PodMean } from './usage-reader.ts'

/** Replicas of StatefulSets whose load differs from the other replicas, by namespace and name. */
export function findOutliers(pods: readonly PodMean[]): Map<string, number> {
  const sets = new Map<string, Map<number, number>>()
  for (const { namespace, workloadName, podName, mean } of pods) {
    const ordinal = Number(/-(\d+)$/.exec(podName)?.[1] ?? Number.NaN)
    if (!Number.isInteger(ordinal)) continue
    const key = `${namespace}/${workloadName}`
    const means = sets.get(key) ?? new Map<number, number>()
    sets.set(key, means.set(ordinal, mean))
  }
  const outliers = new Map<string, number>()
  for (const [key, means] of sets) {
    const sorted = [...means].sort(([a], [b]) => a - b)
    const index = findOrdinalOutlier(sorted.map(([, mean]) => mean))
    const ordinal = index === undefined ? undefined : sorted[index]?.[0]
    if (ordinal !== undefined) outliers.set(key, ordinal)
  }
  return outliers
}
