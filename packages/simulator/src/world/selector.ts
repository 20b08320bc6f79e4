import type { LabelSelector } from '@plimsoll/contract'
import type { WorkloadScenario } from '../scenario/scenario.ts'

/** The label that all pods of a workload have, whatever its revision. */
export const selectorOf = ({ name }: WorkloadScenario): LabelSelector => ({
  labels: { 'app.kubernetes.io/name': name },
})
