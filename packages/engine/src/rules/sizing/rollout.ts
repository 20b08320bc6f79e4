import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import type { Level } from '../../vocabulary/recommendations.ts'

type Replaced = Pick<WorkloadFacts, 'kind' | 'replicas' | 'placement' | 'disruptionsAllowed'>

/** Kinds whose running pods stay unchanged: the next run of a Job has new pods, and a bare pod is resized in place. */
const LEFT_ALONE: readonly string[] = ['Job', 'CronJob', 'Pod', 'ReplicaSet', 'ReplicationController']

export const replacesPods = (kind: string): boolean => !LEFT_ALONE.includes(kind)

/**
 * Caveats of a change to the pod template. Kubernetes replaces the pods, even if it could resize
 * them in place: an in-place resize is a separate call for each pod.
 */
export function rolloutCaveats(workload: Replaced): string[] {
  const { kind, disruptionsAllowed } = workload
  if (!replacesPods(kind)) return []
  return [
    `Applying this restarts the pods (rolling update).${availabilityNote(workload, isAloneMeanwhile(workload))}`,
    ...(disruptionsAllowed === 0 && kind !== 'DaemonSet'
      ? [
          'The PodDisruptionBudget currently allows no disruption, but rollouts do not respect it. Apply the change at a time of low traffic.',
        ]
      : []),
  ]
}

/** A single pod that cannot run twice: the workload is unavailable during the rollout. */
export const isAloneMeanwhile = ({ kind, replicas, placement }: Replaced): boolean =>
  replicas === 1 && (kind === 'StatefulSet' || (placement.hasVolumes && replacesPods(kind)))

export const ALONE_REASON = 'The risk is not low: the workload has a single pod and is unavailable during the rollout.'

/** Beside the level. */
export const rolloutReasons = (workload: Replaced): string[] =>
  isAloneMeanwhile(workload) ? ['Single pod: unavailable during the rollout'] : []

export const rolloutRisk = (workload: Replaced): Level => (isAloneMeanwhile(workload) ? 'medium' : 'low')

/** Availability during the rollout, as the end of a paragraph; empty if other pods keep serving. */
export function availabilityNote({ kind, replicas }: Pick<Replaced, 'kind' | 'replicas'>, isAlone: boolean): string {
  if (kind === 'DaemonSet') return ' During the restart, each node is briefly without the DaemonSet pod.'
  if (replicas === 1) {
    const unless = isAlone ? '' : ', unless its strategy starts the new pod first'
    return ` The workload has a single pod and is unavailable during the restart${unless}.`
  }
  return kind === 'StatefulSet' ? ' Pods restart one by one, so a quorum lacks one member during the rollout.' : ''
}
