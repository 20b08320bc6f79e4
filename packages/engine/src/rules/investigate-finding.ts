import { targetOf } from './container-finding.ts'
import type { WorkloadFacts } from './facts/cluster-facts.ts'
import type { Finding } from './finding.ts'

type Given =
  | 'kind'
  | 'target'
  | 'podName'
  | 'workload'
  | 'currentSpec'
  | 'recommendedSpec'
  | 'change'
  | 'bankableUsdPerMonth'
  | 'isUrgent'

type About = Omit<Finding, Given> & {
  /** The question to answer, and the next step. */
  readonly summary: string
  readonly fields?: Finding['change']['fields']
  /** Default: the pod of the workload. */
  readonly podName?: string
}

/** A finding about a workload that a person has to check first: it proposes no requests. */
export function investigateFinding(
  workload: WorkloadFacts,
  { summary, fields = [], podName = workload.podName, ...about }: About,
): Finding {
  const target = targetOf(workload)
  return {
    ...about,
    kind: 'finding',
    target,
    podName,
    workload: { kind: workload.kind, name: workload.name, container: '' },
    currentSpec: null,
    recommendedSpec: null,
    change: { action: 'investigate', object: target, summary, fields },
    bankableUsdPerMonth: null,
    isUrgent: false,
  }
}
