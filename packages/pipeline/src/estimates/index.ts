export { estimateChange, type EstimateInput } from './estimate-change.ts'
export type { WorkloadPast } from './estimate-workload.ts'
export { readWorkloads, type AskedError, type AskedWorkload } from './read-workloads.ts'
