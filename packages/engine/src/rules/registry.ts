import { containerOverprovisioned } from './container-overprovisioned.ts'
import { containerUnderprovisioned } from './container-underprovisioned.ts'
import { failedPodsHolding } from './failed-pods-holding.ts'
import { initContainerInflates } from './init-container-inflates.ts'
import { jobOverprovisioned } from './job-overprovisioned.ts'
import { labelOwnerMissing } from './label-owner-missing.ts'
import { limitsMemoryMissing } from './limits-memory-missing.ts'
import { loadbalancerOrphaned } from './loadbalancer-orphaned.ts'
import { pvOrphaned } from './pv-orphaned.ts'
import { replicasOverprovisioned } from './replicas-overprovisioned.ts'
import { requestsMissing } from './requests-missing.ts'
import type { Rule } from './rule.ts'
import { sidecarOverprovisioned } from './sidecar-overprovisioned.ts'
import { workloadAbandoned } from './workload-abandoned.ts'

/** Every rule there is. `/api/v1/rules` and docs/rules.md are made from it. */
export const RULES: readonly Rule[] = [
  containerOverprovisioned,
  containerUnderprovisioned,
  failedPodsHolding,
  initContainerInflates,
  jobOverprovisioned,
  labelOwnerMissing,
  limitsMemoryMissing,
  loadbalancerOrphaned,
  pvOrphaned,
  replicasOverprovisioned,
  requestsMissing,
  sidecarOverprovisioned,
  workloadAbandoned,
]
