import type { ContainerFacts, UsageFacts } from '../facts/cluster-facts.ts'
import { isThrottled } from '../facts/throttled.ts'
import type { ContainerSpec, DemandEvidence } from '../finding.ts'
import { leakOf } from './leak.ts'

/** Highest share of the limit in use without a risk. */
export const LIMIT_SHARE_MAX = 0.9

export const limitsOf = ({ cpuLimitMillicores, memoryLimitKib }: ContainerFacts): ContainerSpec => ({
  cpuMillicores: cpuLimitMillicores,
  memoryKib: memoryLimitKib,
})

export function isShortOfMemory(
  { oomKills, memoryLimitKib }: Pick<ContainerFacts, 'oomKills' | 'memoryLimitKib'>,
  { memoryMaxKib }: Pick<UsageFacts, 'memoryMaxKib'>,
): boolean {
  return oomKills > 0 || (memoryLimitKib !== null && memoryMaxKib > LIMIT_SHARE_MAX * memoryLimitKib)
}

/**
 * Usage that touches a limit is censored: the limit hides the demand above it. Then a back-test of the usage proves
 * no value safe, and the evidence says so.
 */
export function demandOf(container: ContainerFacts, usage: UsageFacts, proposedLimits: ContainerSpec): DemandEvidence {
  return {
    limits: { current: limitsOf(container), proposed: proposedLimits },
    unknownAbove: {
      cpu: container.cpuLimitMillicores !== null && isThrottled(container),
      memory: container.memoryLimitKib !== null && isShortOfMemory(container, usage),
    },
    oomKills: container.oomKills,
    leak: leakOf(container, usage, proposedLimits.memoryKib),
  }
}
