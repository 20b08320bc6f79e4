import type { LabelSelector } from '@plimsoll/contract'
import type { WorkloadScenario } from '../scenario/scenario.ts'

/** The label of all pods of a workload, for every revision. */
export const selectorOf = ({ name }: WorkloadScenario): LabelSelector => ({
  labels: { 'app.kubernetes.io/name': name },
})
