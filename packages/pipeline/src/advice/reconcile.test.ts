import { BatchWriter, type AgentFacts } from '@plimsoll/contract'
import { targetKey, type RuleFinding } from '@plimsoll/engine/rules'
import { expect, test } from 'vitest'
import { around, now, aSnapshot, watchingAgent } from '../../test/a-snapshot.ts'
import { Fold } from '../fold/fold.ts'
import { factsOf } from '../facts/facts-of.ts'
import { packSnapshot } from '../facts/pack-snapshot.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { contentOf } from './finding-content.ts'
import { judgeSnapshot } from './judge-snapshot.ts'
import { reconcile, type OpenRecommendation } from './reconcile.ts'

const hour = 3600

/** Nothing scales the pool, so the recommendation to remove a node is about the pool. */
const snapshot = () =>
  aSnapshot({
    nodes: [{ name: 'a' }, { name: 'b' }],
    pods: [
      { name: 'web-1', node: 0 },
      { name: 'db-1', node: 1, millicores: 2000 },
    ],
  })

function judge(state: FoldState) {
  const given = around(state)
  const packed = packSnapshot(state, given)
  return judgeSnapshot(state, factsOf(state, given, packed), packed)
}

const openOf = (finding: RuleFinding, status: OpenRecommendation['status']): OpenRecommendation => ({
  id: status,
  ruleId: finding.ruleId,
  targetKey: targetKey(finding.target),
  status,
  content: contentOf(finding),
  basis: finding.basis,
  missingSince: null,
  approvedAt: status === 'approved' ? new Date(now * 1000) : null,
})

function reconciled(state: FoldState, open: OpenRecommendation) {
  const standing = { open: [open], suppressions: [], watched: new Map(), now: new Date(state.watermark * 1000) }
  const { close, drift, missing, update } = reconcile(judge(state), standing)
  return { close, drift: drift.map(({ finding }) => finding?.ruleId ?? null), missing, update: update.length }
}

/** The agent sends nothing for an hour, and then a batch without any object or usage. */
function withGap(state: FoldState, agent: AgentFacts): FoldState {
  new Fold(state).addBatch('epoch-1', new BatchWriter().finish(agent, now + hour))
  return state
}

const drainOf = (state: FoldState) => {
  const drain = judge(state).findings.find(({ ruleId }) => ruleId === 'node_underutilized_drain')
  if (!drain) throw new Error('no node can be removed')
  return drain
}

const unchanged = { close: [], drift: [], missing: [], update: 0 }

test.each([
  { gap: 'an hour without data', agent: watchingAgent, approved: { drift: ['node_underutilized_drain'] } },
  { gap: 'a lost right to read budgets', agent: { ...watchingAgent, watches: ['workload'] }, approved: {} },
  { gap: 'an agent that reports no readable kinds', agent: { ...watchingAgent, watches: [] }, approved: {} },
])('$gap neither expires nor changes an approved recommendation to remove a node', ({ agent, approved }) => {
  const drain = drainOf(snapshot())
  expect(drain.target.kind).toBe('NodePool')
  const after = withGap(snapshot(), agent)
  // Found again with the same content, the comparison with the finding shows no drift.
  expect(reconciled(after, openOf(drain, 'approved'))).toEqual({ ...unchanged, ...approved })
})

test('a pending recommendation to remove a node is unconfirmed while budgets cannot be read, and does not expire', () => {
  const drain = drainOf(snapshot())
  const after = withGap(snapshot(), { ...watchingAgent, watches: [] })
  expect(reconciled(after, openOf(drain, 'pending'))).toEqual({ ...unchanged, missing: ['pending'] })
})

test('a recommendation about a pool without nodes expires', () => {
  const drain = drainOf(snapshot())
  const empty = aSnapshot({ nodes: [{ name: 'c', pool: 'other' }] })
  const [closing] = reconciled(empty, openOf(drain, 'approved')).close
  expect(closing).toMatchObject({ to: 'expired', reason: 'The object no longer exists.' })
})
