export { blockersOf, blockersShown, nodesOf } from './blockers-of.ts'
export { bankableOf, driftOf, isEdited, isOther, needsNewEvidence } from './compare-findings.ts'
export { actionsFrom, decideMove, type MoveDecision } from './decide-move.ts'
export { digestOf, type EvidenceDigest } from './evidence-digest.ts'
export { contentOf, rankOf } from './finding-content.ts'
export type { NamedFinding } from '../facts/claimer.ts'
export type { Analysis } from './judge-snapshot.ts'
export { planItems } from './plan-items.ts'
export { openAfter, proposingOf } from './open-proposals.ts'
export { defaultSettings, policiesOf } from './policy-settings.ts'
export { presentEvidence, type StoredEvidence } from './present-evidence.ts'
export { quantities } from './quantities.ts'
export {
  type Closing,
  type Found,
  isAtRest,
  judgeability,
  openKey,
  reconcile,
  type Reconciled,
  type Standing,
  type Suppression,
} from './reconcile.ts'
export type { BankableChange, StoredFinding } from './rows.ts'
export type { StoredContent } from './stored-content.ts'
