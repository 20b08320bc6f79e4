import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import type { Level } from '../finding.ts'

type Replaced = Pick<WorkloadFacts, 'kind' | 'replicas' | 'placement' | 'disruptionsAllowed'>

/** Kinds whose running pods stay as they are: a job's next run is new anyway, and a lone pod is resized in place. */
const LEFT_ALONE: readonly string[] = ['Job', 'CronJob', 'Pod', 'ReplicaSet', 'ReplicationController']

export const replacesPods = (kind: string): boolean => !LEFT_ALONE.includes(kind)

/**
 * What it means for those who use a workload that its template is changed. Its pods are replaced, also where Kubernetes could resize
 * them in place: that is another call, about each pod.
 */
export function rolloutCaveats(workload: Replaced): string[] {
  const { kind, disruptionsAllowed } = workload
  if (!replacesPods(kind)) return []
  return [
    `Applying this restarts the pods (rolling update).${whoAnswers(workload, isAloneMeanwhile(workload))}`,
    ...(disruptionsAllowed === 0 && kind !== 'DaemonSet'
      ? ['The PodDisruptionBudget allows no disruption now, and a rollout ignores it: choose a quiet hour.']
      : []),
  ]
}

/** One pod that cannot be there twice: who asks for it while it is replaced gets no answer. */
export const isAloneMeanwhile = ({ kind, replicas, placement }: Replaced): boolean =>
  replicas === 1 && (kind === 'StatefulSet' || (placement.hasVolumes && replacesPods(kind)))

export const ALONE_REASON = 'The risk is not low: the workload has a single pod and is unavailable during the rollout.'

export const rolloutRisk = (workload: Replaced): Level => (isAloneMeanwhile(workload) ? 'medium' : 'low')

/** Who is there while pods are replaced, as the end of a paragraph; empty: the others. */
export function whoAnswers({ kind, replicas }: Pick<Replaced, 'kind' | 'replicas'>, isAlone: boolean): string {
  if (kind === 'DaemonSet') return ' Each node is without its pod meanwhile.'
  if (replicas === 1) {
    const unless = isAlone ? '' : ', unless its strategy starts the new pod first'
    return ` It is the only pod: the workload is unavailable meanwhile${unless}.`
  }
  return kind === 'StatefulSet' ? ' Pods restart one by one: a quorum has one member less meanwhile.' : ''
}
