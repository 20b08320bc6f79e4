import { judgeSnapshot } from '../src/advice/judge-snapshot.ts'
import { factsOf, type Around } from '../src/facts/facts-of.ts'
import { packSnapshot } from '../src/facts/pack-snapshot.ts'
import type { FoldState } from '../src/fold/fold-state.ts'
import { around, aSnapshot, type Seen } from './a-snapshot.ts'

export const karpenter = { kind: 'node_pool', name: 'general', spec: { scaler: 'karpenter' } } as const
export const twoNodes = [{ name: 'a' }, { name: 'b' }]

export function analyseSnapshot(state: FoldState, given: Around) {
  const packed = packSnapshot(state, given)
  return judgeSnapshot(state, factsOf(state, given, packed), packed)
}

/** The analysis of a snapshot, with its findings by rule and its verdicts by node. */
export function analyseSeen(seen: Seen, over = {}) {
  const state = aSnapshot(seen)
  const analysis = analyseSnapshot(state, around(state, over))
  const of = (rule: string) => analysis.findings.filter(({ ruleId }) => ruleId === rule)
  const verdicts = Object.fromEntries(analysis.nodes.map(({ uid, verdict }) => [uid, verdict]))
  return { ...analysis, of, verdicts }
}
