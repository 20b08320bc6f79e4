import { failedPodsHolding } from './failed-pods-holding.ts'
import { initContainerInflates } from './init-container-inflates.ts'
import { labelOwnerMissing } from './label-owner-missing.ts'
import { limitsMemoryMissing } from './limits-memory-missing.ts'
import { loadbalancerOrphaned } from './loadbalancer-orphaned.ts'
import { pvOrphaned } from './pv-orphaned.ts'
import { requestsMissing } from './requests-missing.ts'
import type { Rule } from './rule.ts'

/** Every rule there is. `/api/v1/rules` and docs/rules.md are made from it. */
export const RULES: readonly Rule[] = [
  failedPodsHolding,
  initContainerInflates,
  labelOwnerMissing,
  limitsMemoryMissing,
  loadbalancerOrphaned,
  pvOrphaned,
  requestsMissing,
]
