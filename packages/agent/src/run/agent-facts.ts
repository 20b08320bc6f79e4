import type { AgentCondition, AgentFacts } from '@plimsoll/contract'
import { conditionText } from '../observe/condition-text.ts'
import type { Condition, Observer } from '../observer.ts'

/** The agent facts for the server, with the conditions of the agent itself. */
export function agentFacts(
  observer: Pick<Observer, 'facts' | 'conditions'>,
  own: readonly AgentCondition[] = [],
): AgentFacts {
  return { ...observer.facts(), conditions: [...observer.conditions().map(withMessage), ...own] }
}

function withMessage(condition: Condition): AgentCondition {
  const { kind, status, reason } = condition
  return { kind, status, reason, message: conditionText(condition) }
}
