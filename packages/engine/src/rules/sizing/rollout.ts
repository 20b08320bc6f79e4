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
    `Its pods are replaced: a change of its template starts each of them anew.${whoAnswers(workload, isAloneMeanwhile(workload))}`,
    ...(disruptionsAllowed === 0 && kind !== 'DaemonSet'
      ? ['Its disruption budget allows no pod to be away now, and a roll-out does not ask it: choose a quiet hour.']
      : []),
  ]
}

/** One pod that cannot be there twice: who asks for it while it is replaced gets no answer. */
export const isAloneMeanwhile = ({ kind, replicas, placement }: Replaced): boolean =>
  replicas === 1 && (kind === 'StatefulSet' || (placement.hasVolumes && replacesPods(kind)))

export const ALONE_REASON = 'Its risk is not low: it is a single pod, and nobody answers while that is replaced.'

export const rolloutRisk = (workload: Replaced): Level => (isAloneMeanwhile(workload) ? 'medium' : 'low')

/** Who is there while pods are replaced, as the end of a paragraph; empty: the others. */
export function whoAnswers({ kind, replicas }: Pick<Replaced, 'kind' | 'replicas'>, isAlone: boolean): string {
  if (kind === 'DaemonSet') return ' On each node nobody answers meanwhile.'
  if (replicas === 1) {
    const unless = isAlone ? '' : ', unless its strategy starts the new one first'
    return ` It is the only one: nobody answers meanwhile${unless}.`
  }
  return kind === 'StatefulSet' ? ' They go one by one: where they vote, there is one vote less meanwhile.' : ''
}
