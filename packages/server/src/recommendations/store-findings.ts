import { dayText } from '@plimsoll/engine'
import { targetKey, type RuleFinding } from '@plimsoll/engine/rules'
import type { Db } from '../platform/db/database.ts'
import { writeEvidence } from './queries/evidence.ts'
import {
  closeRecommendations,
  insertFindings,
  listWatched,
  lockOpen,
  recordMissing,
  updateFindings,
  writeBankable,
  writeDrift,
  type OpenRow,
} from './queries/findings.ts'
import { insertHistory, type NewHistoryRow } from './queries/recommendation-history.ts'
import { deleteEndedSuppressions, listSuppressions } from './queries/suppressions.ts'
import { writeWithheld, type NewWithheld } from './queries/withheld.ts'
import { newRecommendationId } from '../platform/ids.ts'
import {
  bankableOf,
  type Closing,
  driftOf,
  type Found,
  isEdited,
  isOther,
  needsNewEvidence,
  judgeability,
  openKey,
  quantities,
  reconcile,
  type Reconciled,
  type Standing,
  type StoredContent,
  type Suppression,
} from '@plimsoll/pipeline/advice'
import { makeEvidence } from './make-evidence.ts'
import { storedOf } from './stored-finding.ts'
import { creditedSince } from './verify-applied.ts'

/**
 * Updates the stored recommendations from the findings, under the lock of the analysis. Open ones are locked first, so
 * that a concurrent decision is either seen here or sees the new state.
 */
export async function storeFindings(tx: Db, clusterId: string, found: Found, now: Date): Promise<Reconciled> {
  const open = await lockOpen(tx, clusterId, creditedSince(now))
  // Read under the locks: a rejection during the wait counts.
  await deleteEndedSuppressions(tx, clusterId, now)
  const result = reconcile(found, await loadStanding(tx, clusterId, open, now))
  const rows = new Map(open.map((row) => [row.recommendation_id, row]))
  const { observedAt, historyReceivedAt = null } = found
  await write(tx, clusterId, { rows, result, times: { now, observedAt, historyReceivedAt } })
  await writeBankable(tx, clusterId, listBankable(rows, result, found), now)
  await writeWithheld(tx, clusterId, withheldRows(found, result), now)
  return result
}

/** The decisions of users about possible findings. */
export async function loadStanding(tx: Db, clusterId: string, open: readonly OpenRow[], now: Date): Promise<Standing> {
  const suppressions = (await listSuppressions(tx, clusterId, now)).map((row) => ({
    ruleId: row.rule_id,
    targetKey: row.target_key,
    basis: row.basis,
    estimatedUsdPerMonth: Number(row.estimated_savings),
    until: row.until,
    isTakenBack: row.verification === 'reverted',
  }))
  const watched = new Map(
    (await listWatched(tx, clusterId, creditedSince(now))).map((row) => [
      openKey(row.rule_id, row.target_key),
      row.verification === 'awaiting' ? null : row.basis,
    ]),
  )
  return { open: open.map(openOf), suppressions, watched, now }
}

/** For recommendations that stay open without an update. */
function listBankable(rows: Rows, { drift, update, close }: Reconciled, found: Found) {
  const { credits = new Map(), clusterUsdPerMonth = null, withheld } = found
  const findings = new Map(drift.map(({ id, finding }) => [id, finding]))
  const others = new Set([...update, ...close].map(({ id }) => id))
  const bankable = { credits, clusterUsdPerMonth, held: heldKeys(withheld) }
  const isUnjudged = judgeability(withheld)
  return [...rows].flatMap(([id, row]) => {
    const key = openKey(row.rule_id, row.target_key)
    const isKnown = credits.has(key) || bankable.held.has(key) || !isUnjudged(key, row.rule_id)
    // A gap in the data changes no figure of an approved recommendation.
    if (others.has(id) || (row.status === 'approved' && !isKnown)) return []
    return bankableOf(row, findings.get(id) ?? null, bankable)
  })
}

const heldKeys = (withheld: Found['withheld']) =>
  new Set(
    withheld.flatMap(({ ruleId, target, reason }) =>
      reason === 'cannot_move' && target !== null ? [openKey(ruleId, targetKey(target))] : [],
    ),
  )

type Rows = ReadonlyMap<string, OpenRow>
type Times = { now: Date; observedAt: Date; historyReceivedAt: Date | null }

async function write(
  tx: Db,
  clusterId: string,
  { rows, result, times }: { rows: Rows; result: Reconciled; times: Times },
): Promise<void> {
  const { now } = times
  // Closing first: a new recommendation about the same target may follow.
  await close(tx, clusterId, { rows, closings: result.close, now })
  await recordMissing(tx, clusterId, result.missing, now)
  await update(tx, clusterId, { rows, updates: result.update, times })
  const drifts = result.drift.flatMap(({ id, finding }) => driftOf(rows.get(id), finding, now))
  await writeDrift(tx, clusterId, drifts)
  await insert(tx, clusterId, result.insert, times)
}

async function close(
  tx: Db,
  clusterId: string,
  { rows, closings, now }: { rows: Rows; closings: readonly Closing[]; now: Date },
): Promise<void> {
  await closeRecommendations(tx, clusterId, closings, now)
  const entries = closings.flatMap(({ id, to, reason }) => {
    const row = rows.get(id)
    return row ? [entryOf(row, { action: to, to, reason, now })] : []
  })
  await insertHistory(tx, 'closed', entries)
}

/** Writes differences only: thousands are confirmed every hour without a change. */
async function update(
  tx: Db,
  clusterId: string,
  {
    rows,
    updates,
    times: { now, observedAt, historyReceivedAt },
  }: { rows: Rows; updates: Reconciled['update']; times: Times },
): Promise<void> {
  const wanted = updates.flatMap(({ id, finding }) => {
    const row = rows.get(id)
    return row ? [{ row, stored: storedOf(clusterId, id, finding) }] : []
  })
  const changed = wanted.filter(({ row, stored }) => isOther(row, stored))
  const edited = new Set(changed.filter(({ row, stored }) => isEdited(row, stored)).map(({ stored }) => stored.id))
  await updateFindings(
    tx,
    clusterId,
    changed.map(({ stored }) => ({ ...stored, isEdited: edited.has(stored.id) })),
    now,
  )
  const entries = changed
    .filter(({ stored }) => edited.has(stored.id))
    .map(({ row, stored }) => entryOf(row, { action: 'updated', to: row.status, detail: specsOf(stored.content), now }))
  await insertHistory(tx, 'updated', entries)
  const refreshed = new Set(
    changed.filter(({ row, stored }) => needsNewEvidence(row, stored)).map(({ stored }) => stored.id),
  )
  await writeNewEvidence(tx, clusterId, updates, { asOf: observedAt, historyReceivedAt, always: refreshed })
}

async function insert(
  tx: Db,
  clusterId: string,
  findings: readonly RuleFinding[],
  { now, observedAt, historyReceivedAt }: Times,
): Promise<void> {
  const stored = findings.map((finding) => storedOf(clusterId, newRecommendationId(clusterId, now), finding))
  const inserted = new Set(await insertFindings(tx, clusterId, stored, now))
  const made = stored.filter(({ id }) => inserted.has(id))
  const entries = made.map(({ id, content }) => ({
    ...engineEntry(clusterId, id, now),
    position: 1,
    action: 'found',
    from_status: null,
    to_status: 'pending' as const,
    reason: null,
    detail: JSON.stringify(specsOf(content)),
  }))
  await insertHistory(tx, 'created', entries)
  const evidence = findings.flatMap((finding, index) => {
    const id = stored[index]?.id ?? ''
    return inserted.has(id) ? [{ id, finding }] : []
  })
  await writeNewEvidence(tx, clusterId, evidence, { asOf: observedAt, historyReceivedAt, always: inserted })
}

const writeNewEvidence = (
  tx: Db,
  clusterId: string,
  found: readonly { id: string; finding: RuleFinding }[],
  options: { asOf: Date; historyReceivedAt: Date | null; always: ReadonlySet<string> },
) => writeEvidence(tx, clusterId, found, { ...options, make: (some) => makeEvidence(tx, clusterId, some) })

const openOf = (row: OpenRow) => ({
  id: row.recommendation_id,
  ruleId: row.rule_id,
  targetKey: row.target_key,
  status: row.status,
  content: row.content,
  basis: row.basis,
  missingSince: row.missing_since,
  approvedAt: row.approved_at,
})

type Entry = Pick<NewHistoryRow, 'action'> & {
  to: NewHistoryRow['to_status']
  reason?: string
  detail?: object
  now: Date
}

const entryOf = (row: OpenRow, { action, to, reason = '', detail = {}, now }: Entry): NewHistoryRow => ({
  ...engineEntry(row.cluster_id, row.recommendation_id, now),
  position: row.revision + 1,
  action,
  from_status: row.status,
  to_status: to,
  reason: reason === '' ? null : reason,
  detail: JSON.stringify(detail),
})

const engineEntry = (clusterId: string, id: string, now: Date) => ({
  cluster_id: clusterId,
  recommendation_id: id,
  at: now,
  actor_kind: null,
  actor_id: null,
  actor_email: null,
})

const specsOf = ({ current, recommended }: StoredContent) => ({
  current_spec: quantities(current),
  recommended_spec: quantities(recommended),
})

function withheldRows({ withheld }: Found, { suppressed }: Reconciled): NewWithheld[] {
  const heldBack = suppressed.map(({ finding, suppression }) => ({
    ruleId: finding.ruleId,
    target: finding.target,
    ...whyHeldBack(suppression),
  }))
  const rows = [...withheld, ...heldBack].map(({ ruleId, target, reason, detail, unlock }) => ({
    ruleId,
    targetKey: target === null ? '' : targetKey(target),
    namespace: target?.namespace ?? '',
    target,
    reason,
    detail,
    unlock,
  }))
  // Of two reasons for one target the first is enough.
  return [...new Map(rows.reverse().map((row) => [openKey(row.ruleId, row.targetKey), row])).values()]
}

const RETURNS_SOONER = 'The recommendation returns sooner if the workload changes or the savings grow by 50 %.'

function whyHeldBack({ isTakenBack, until }: Suppression): Pick<NewWithheld, 'reason' | 'detail' | 'unlock'> {
  const notBefore = `The recommendation is withheld until ${dayText(until.getTime() / 1000)}.`
  return isTakenBack
    ? {
        reason: 'taken_back',
        detail: `The change was applied and then reverted. ${notBefore}`,
        unlock: `Find out why the change was reverted, or wait. ${RETURNS_SOONER}`,
      }
    : {
        reason: 'rejected',
        detail: `A user rejected the recommendation. ${notBefore}`,
        unlock: `Reopen the rejected recommendation, or wait. ${RETURNS_SOONER}`,
      }
}
