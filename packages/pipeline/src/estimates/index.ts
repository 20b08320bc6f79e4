export { estimateChange } from './estimate-change.ts'
export type { WorkloadPast } from './estimate-workload.ts'
export { readWorkloads, type AskedWorkload } from './read-workloads.ts'
