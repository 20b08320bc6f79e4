import type { ContainerFacts } from '../facts/cluster-facts.ts'
import { isRestarting, restarting } from '../facts/judgeable.ts'
import type { Target, Withheld } from '../finding.ts'
import { whyWithheld } from './why-withheld.ts'

/** Why a container cannot be sized at all; null: at least one of its requests can. */
export function notJudged(target: Target, container: ContainerFacts): Withheld | null {
  const { usage, decision, managedBy } = container
  if (managedBy !== null) return whyWithheld(target, { kind: 'withheld', reason: 'managed_by', manager: managedBy })
  if (!usage || !decision) return whyWithheld(target, { kind: 'unknown', reason: 'no_samples' })
  if (isRestarting(usage)) return restarting(target, usage)
  const { cpu, memory } = decision
  if (cpu.kind === 'request' || memory.kind === 'request') return null
  return whyWithheld(target, cpu)
}
