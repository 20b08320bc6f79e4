import { consolidationBlocked } from './consolidation-blocked.ts'
import { containerOverprovisioned } from './container-overprovisioned.ts'
import { containerUnderprovisioned } from './container-underprovisioned.ts'
import { controlPlaneExtendedSupport } from './control-plane-extended-support.ts'
import { cpuLimitThrottling } from './cpu-limit-throttling.ts'
import { cronjobFailing } from './cronjob-failing.ts'
import { daemonsetOverhead } from './daemonset-overhead.ts'
import { failedPodsHolding } from './failed-pods-holding.ts'
import { gpuIdle } from './gpu-idle.ts'
import { hpaMinReplicasHigh } from './hpa-min-replicas-high.ts'
import { initContainerInflates } from './init-container-inflates.ts'
import { jobOverprovisioned } from './job-overprovisioned.ts'
import { jvmHeapMismatch } from './jvm-heap-mismatch.ts'
import { labelOwnerMissing } from './label-owner-missing.ts'
import { limitsMemoryMissing } from './limits-memory-missing.ts'
import { loadbalancerOrphaned } from './loadbalancer-orphaned.ts'
import { namespaceIdle } from './namespace-idle.ts'
import { nodeFragmentation } from './node-fragmentation.ts'
import { nodeInstanceTypeMismatch } from './node-instance-type-mismatch.ts'
import { nodeUnderutilizedDrain } from './node-underutilized-drain.ts'
import { nonprodOffhoursSchedule } from './nonprod-offhours-schedule.ts'
import { oldGenerationInstance } from './old-generation-instance.ts'
import { pvOrphaned } from './pv-orphaned.ts'
import { pvOverprovisioned } from './pv-overprovisioned.ts'
import { quotaUnused } from './quota-unused.ts'
import { replicasOverprovisioned } from './replicas-overprovisioned.ts'
import { requestsMissing } from './requests-missing.ts'
import { sidecarOverprovisioned } from './sidecar-overprovisioned.ts'
import { spotCandidate } from './spot-candidate.ts'
import { storageClassDowngrade } from './storage-class-downgrade.ts'
import { workloadAbandoned } from './workload-abandoned.ts'
import type { Rule } from './rule.ts'

/** Every rule there is. `/api/v1/rules` and docs/rules.md are made from it. */
export const RULES: readonly Rule[] = [
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
