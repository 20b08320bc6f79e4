import { expect, test } from 'vitest'
import { dayText } from '../day-text.ts'
import { aNode, DAY, NOW, evaluateRule, someFacts } from './builders.ts'
import { nodeUnderutilizedDrain } from './catalogue/node-underutilized-drain.ts'
import type { RuleFinding } from './evaluate.ts'
import { addTrial } from './tried-before.ts'

const [finding] = evaluateRule(
  nodeUnderutilizedDrain,
  someFacts({ nodes: [aNode({ fate: { kind: 'free', podsMoved: 1 } })] }),
).findings
const some = (over: Partial<RuleFinding> = {}): RuleFinding => ({ ...(finding ?? expect.fail('no finding')), ...over })
const trial = { appliedAt: NOW - 20 * DAY, takenBackAt: NOW - 13 * DAY, failedAt: null }

test('a reverted recommendation shows the date, has more risk and less confidence, and fails a guard', () => {
  const withTrial = addTrial(some({ risk: 'low' }), trial)
  const [applied, back] = [dayText(trial.appliedAt), dayText(trial.takenBackAt)]
  expect(withTrial).toMatchObject({ risk: 'medium', confidence: 'low' })
  expect(withTrial.title).toBe(`${some().title} (applied on ${applied}, reverted on ${back})`)
  expect(withTrial.checks.at(-1)).toMatchObject({ passed: false, found: `This was applied on ${applied} and reverted on ${back}.` }) // prettier-ignore
  expect(withTrial.evidence.caveats[0]).toContain(`reverted on ${back}. Ask why the change was reverted`)
  // Savings and target are unchanged.
  expect(withTrial).toMatchObject({ target: some().target, estimatedUsdPerMonth: some().estimatedUsdPerMonth })
})

test('after failures of the containers the risk is high, reverted or not', () => {
  const failedAt = NOW - 15 * DAY
  const failed = addTrial(some({ risk: 'low' }), { ...trial, failedAt })
  expect(failed.risk).toBe('high')
  expect(failed.evidence.caveats[0]).toContain(`failed more often since ${dayText(failedAt)}`)
  const still = addTrial(some(), { ...trial, failedAt, takenBackAt: null })
  expect(still.title).toContain('failed more often since')
  expect(still.evidence.caveats[0]).not.toContain('and reverted')
})
