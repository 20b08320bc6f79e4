import { changeRegressed } from './catalogue/change-regressed.ts'
import { consolidationBlocked } from './catalogue/consolidation-blocked.ts'
import { containerOverprovisioned } from './catalogue/container-overprovisioned.ts'
import { containerUnderprovisioned } from './catalogue/container-underprovisioned.ts'
import { controlPlaneExtendedSupport } from './catalogue/control-plane-extended-support.ts'
import { cpuLimitThrottling } from './catalogue/cpu-limit-throttling.ts'
import { cronjobFailing } from './catalogue/cronjob-failing.ts'
import { daemonsetOverhead } from './catalogue/daemonset-overhead.ts'
import { failedPodsHolding } from './catalogue/failed-pods-holding.ts'
import { gpuIdle } from './catalogue/gpu-idle.ts'
import { hpaMinReplicasHigh } from './catalogue/hpa-min-replicas-high.ts'
import { initContainerInflates } from './catalogue/init-container-inflates.ts'
import { jobOverprovisioned } from './catalogue/job-overprovisioned.ts'
import { jvmHeapMismatch } from './catalogue/jvm-heap-mismatch.ts'
import { labelOwnerMissing } from './catalogue/label-owner-missing.ts'
import { limitsMemoryMissing } from './catalogue/limits-memory-missing.ts'
import { loadbalancerOrphaned } from './catalogue/loadbalancer-orphaned.ts'
import { namespaceIdle } from './catalogue/namespace-idle.ts'
import { nodeFragmentation } from './catalogue/node-fragmentation.ts'
import { nodeInstanceTypeMismatch } from './catalogue/node-instance-type-mismatch.ts'
import { nodeUnderutilizedDrain } from './catalogue/node-underutilized-drain.ts'
import { nonprodOffhoursSchedule } from './catalogue/nonprod-offhours-schedule.ts'
import { oldGenerationInstance } from './catalogue/old-generation-instance.ts'
import { pvOrphaned } from './catalogue/pv-orphaned.ts'
import { pvOverprovisioned } from './catalogue/pv-overprovisioned.ts'
import { quotaUnused } from './catalogue/quota-unused.ts'
import { replicasOverprovisioned } from './catalogue/replicas-overprovisioned.ts'
import { requestsMissing } from './catalogue/requests-missing.ts'
import { sidecarOverprovisioned } from './catalogue/sidecar-overprovisioned.ts'
import { spotCandidate } from './catalogue/spot-candidate.ts'
import { storageClassDowngrade } from './catalogue/storage-class-downgrade.ts'
import { workloadAbandoned } from './catalogue/workload-abandoned.ts'
import type { Rule } from './rule.ts'

/**
 * All rules, in the order of their ids. `/api/v1/rules` and docs/rules.md are generated from this list. A new rule is a
 * file in `catalogue/` and a line here: see CONTRIBUTING.md.
 */
export const RULES: readonly Rule[] = [
  changeRegressed,
  consolidationBlocked,
  containerOverprovisioned,
  containerUnderprovisioned,
  controlPlaneExtendedSupport,
  cpuLimitThrottling,
  cronjobFailing,
  daemonsetOverhead,
  failedPodsHolding,
  gpuIdle,
  hpaMinReplicasHigh,
  initContainerInflates,
  jobOverprovisioned,
  jvmHeapMismatch,
  labelOwnerMissing,
  limitsMemoryMissing,
  loadbalancerOrphaned,
  namespaceIdle,
  nodeFragmentation,
  nodeInstanceTypeMismatch,
  nodeUnderutilizedDrain,
  nonprodOffhoursSchedule,
  oldGenerationInstance,
  pvOrphaned,
  pvOverprovisioned,
  quotaUnused,
  replicasOverprovisioned,
  requestsMissing,
  sidecarOverprovisioned,
  spotCandidate,
  storageClassDowngrade,
  workloadAbandoned,
]

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]))

/** Undefined for a rule of another version. */
export const findRule = (id: string): Rule | undefined => BY_ID.get(id)

/** For table columns. The id of a rule of another version, in words. */
export function ruleShortName(id: string): string {
  const words = id.replaceAll('_', ' ')
  return findRule(id)?.shortName ?? words.charAt(0).toUpperCase() + words.slice(1)
}
