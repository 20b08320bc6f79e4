import type { Finding } from './finding.ts'
import type { WorkloadFacts } from './facts/cluster-facts.ts'

const scalable: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'Rollout'])

type Stop = { readonly fields: Finding['change']['fields']; readonly action?: Finding['action'] }

/** A manifest scales the workload to 0. Other kinds have no number of replicas, so commands delete the object. */
export const stopWorkload = ({ kind, replicas }: Pick<WorkloadFacts, 'kind' | 'replicas'>): Stop =>
  scalable.has(kind)
    ? { fields: [{ path: 'spec.replicas', from: String(replicas), to: '0' }] }
    : { fields: [], action: { kind: 'stop_workload' } }
