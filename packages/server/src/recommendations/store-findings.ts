import { createHash } from 'node:crypto'
import type { Drift } from '@plimsoll/contract'
import { SEVERITIES, targetKey, type RuleFinding } from '@plimsoll/engine'
import type { Db } from '../db/database.ts'
import {
  closeRecommendations,
  insertFindings,
  listAwaiting,
  lockOpen,
  markMissing,
  updateFindings,
  writeBankable,
  writeDrift,
  writeEvidence,
  type OpenRow,
  type StoredFinding,
} from '../db/findings.ts'
import { insertHistory, type NewHistoryRow } from '../db/recommendation-history.ts'
import { deleteEndedSuppressions, listSuppressions } from '../db/suppressions.ts'
import { writeWithheld, type NewWithheld } from '../db/withheld.ts'
import { base32, newRecommendationId } from '../ids.ts'
import { makeEvidence } from './make-evidence.ts'
import { quantities } from './present-recommendation.ts'
import { openKey, reconcile, type Closing, type Found, type Reconciled } from './reconcile.ts'
import type { StoredContent } from './stored-content.ts'
import { creditedSince } from './verify-applied.ts'

/**
 * Brings what is stored in line with what the rules found, under the lock of the analysis. Open ones are locked first: a person who decides at the same
 * time is either seen here or finds here what to decide about.
 */
export async function storeFindings(tx: Db, clusterId: string, found: Found, now: Date): Promise<Reconciled> {
  const open = await lockOpen(tx, clusterId, creditedSince(now))
  // Read after the locks are held: whoever rejected while we waited is heard.
  await deleteEndedSuppressions(tx, clusterId, now)
  const suppressions = (await listSuppressions(tx, clusterId, now)).map((row) => ({
    ruleId: row.rule_id,
    targetKey: row.target_key,
    basis: row.basis,
    estimatedUsdPerMonth: Number(row.estimated_savings),
    until: row.until,
  }))
  const awaiting = new Set((await listAwaiting(tx, clusterId)).map((row) => openKey(row.rule_id, row.target_key)))
  const result = reconcile(found, { open: open.map(openOf), suppressions, awaiting, now })
  await write(tx, clusterId, new Map(open.map((row) => [row.recommendation_id, row])), result, now)
  await writeWithheld(tx, clusterId, withheldRows(found, result), now)
  return result
}

type Rows = ReadonlyMap<string, OpenRow>

async function write(tx: Db, clusterId: string, rows: Rows, result: Reconciled, now: Date): Promise<void> {
  // First what closes: a new one about the same thing may take its place.
  await close(tx, clusterId, rows, result.close, now)
  await markMissing(tx, clusterId, result.missing, now)
  await update(tx, clusterId, rows, result.update, now)
  const drifts = result.drift.flatMap(({ id, finding }) => driftOf(rows.get(id), finding, now))
  await writeDrift(tx, clusterId, drifts)
  await writeBankable(
    tx,
    clusterId,
    result.drift.flatMap((each) => bankableOf(rows, each)),
    now,
  )
  await insert(tx, clusterId, result.insert, now)
}

async function close(tx: Db, clusterId: string, rows: Rows, closings: readonly Closing[], now: Date): Promise<void> {
  await closeRecommendations(tx, clusterId, closings, now)
  const entries = closings.flatMap(({ id, to, reason }) => {
    const row = rows.get(id)
    return row ? [entryOf(row, { action: to, to, reason, now })] : []
  })
  await insertHistory(tx, entries)
}

/** Writes only what differs: thousands are confirmed every hour and stay as they are. */
async function update(tx: Db, clusterId: string, rows: Rows, updates: Reconciled['update'], now: Date): Promise<void> {
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
  await insertHistory(tx, entries)
  const retold = new Set(changed.filter(({ row, stored }) => isRetold(row, stored)).map(({ stored }) => stored.id))
  await tellEvidence(tx, clusterId, updates, { now, always: retold })
}

async function insert(tx: Db, clusterId: string, findings: readonly RuleFinding[], now: Date): Promise<void> {
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
  await insertHistory(tx, entries)
  const evidence = findings.flatMap((finding, index) => {
    const id = stored[index]?.id ?? ''
    return inserted.has(id) ? [{ id, finding }] : []
  })
  await tellEvidence(tx, clusterId, evidence, { now, always: inserted })
}

const tellEvidence = (
  tx: Db,
  clusterId: string,
  found: readonly { id: string; finding: RuleFinding }[],
  options: { now: Date; always: ReadonlySet<string> },
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

function storedOf(clusterId: string, id: string, finding: RuleFinding): StoredFinding {
  const { target, workload } = finding
  const { namespace } = target
  const words = [
    finding.title,
    namespace,
    target.name,
    workload?.name ?? '',
    workload?.container ?? '',
    finding.podName,
  ]
  return {
    id,
    ruleId: finding.ruleId,
    category: finding.category,
    targetKey: targetKey(target),
    bundleId: workload ? bundleOf(clusterId, namespace, workload) : null,
    severity: finding.severity,
    severityRank: SEVERITIES.indexOf(finding.severity) + 1,
    risk: finding.risk,
    confidence: finding.confidence,
    title: finding.title,
    namespace,
    podName: finding.podName,
    workloadKind: workload?.kind ?? null,
    workloadName: workload?.name ?? null,
    container: workload?.container ?? null,
    searchText: words.join('\n').toLowerCase().slice(0, searchedLettersMax),
    estimated: finding.estimatedUsdPerMonth.toFixed(6),
    bankable: finding.bankableUsdPerMonth?.toFixed(6) ?? null,
    content: contentOf(finding),
    basis: finding.basis,
  }
}

/** It stands in an index, and rows of those must not be long. */
const searchedLettersMax = 1000

function contentOf({ target, currentSpec, recommendedSpec, change, removesPods }: RuleFinding): StoredContent {
  return {
    target,
    current: currentSpec,
    recommended: recommendedSpec,
    change: { ...change, fields: change.fields.map((field) => ({ ...field })) },
    ...(typeof removesPods === 'number' ? { removesPods } : {}),
  }
}

function bundleOf(clusterId: string, namespace: string, { kind, name }: { kind: string; name: string }): string {
  const key = [clusterId, namespace, kind, name].join('/')
  return `bnd_${base32(createHash('sha256').update(key).digest().subarray(0, 16))}`
}

/** Compared as they are stored: what is shown is the same if and only if these are. */
const isOther = (row: OpenRow, stored: StoredFinding) =>
  row.missing_since !== null ||
  isEdited(row, stored) ||
  [row.title, row.severity, row.risk, row.confidence, row.pod_name, row.basis].join('\n') !==
    [stored.title, stored.severity, stored.risk, stored.confidence, stored.podName, stored.basis].join('\n') ||
  Number(row.estimated_savings) !== Number(stored.estimated) ||
  nullable(row.bankable_savings) !== nullable(stored.bankable)

/** A saving that moves by cents leaves its evidence alone. */
const isRetold = (row: OpenRow, stored: StoredFinding) =>
  isEdited(row, stored) || row.risk !== stored.risk || row.confidence !== stored.confidence

const nullable = (text: string | null) => (text === null ? null : Number(text))

/** What somebody would approve is another thing. */
const isEdited = (row: OpenRow, stored: StoredFinding) => canonical(row.content) !== canonical(stored.content)

/** PostgreSQL gives the members of a JSON object back in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** What somebody approved is frozen; what it takes off the bill depends on everything else and is not. */
function bankableOf(rows: Rows, { id, finding }: Reconciled['drift'][number]): { id: string; bankable: string }[] {
  const row = rows.get(id)
  const usd = finding?.bankableUsdPerMonth ?? null
  if (!row || !finding || usd === null || canonical(row.content) !== canonical(contentOf(finding))) return []
  return nullable(row.bankable_savings) === Number(usd.toFixed(6)) ? [] : [{ id, bankable: usd.toFixed(6) }]
}

function driftOf(
  row: OpenRow | undefined,
  finding: RuleFinding | null,
  now: Date,
): { id: string; drift: Drift | null }[] {
  if (!row) return []
  const drift = finding === null ? goneDrift(now) : otherDrift(row, finding, now)
  const { at: _before, ...before } = row.drift ?? { at: '' }
  const { at: _after, ...after } = drift ?? { at: '' }
  return canonical(before) === canonical(after) ? [] : [{ id: row.recommendation_id, drift }]
}

const goneDrift = (now: Date): Drift => ({
  at: now.toISOString(),
  kind: 'no_longer_found',
  recommended_spec: {},
  estimated_savings: 0,
})

function otherDrift(row: OpenRow, finding: RuleFinding, now: Date): Drift | null {
  const spec = canonical(finding.recommendedSpec)
  if (spec === canonical(row.content.recommended)) return null
  return {
    at: now.toISOString(),
    kind: 'differs',
    recommended_spec: quantities(finding.recommendedSpec),
    estimated_savings: Number(finding.estimatedUsdPerMonth.toFixed(6)),
  }
}

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
  const rejected = suppressed.map(({ finding, until }) => ({
    ruleId: finding.ruleId,
    target: finding.target,
    reason: 'rejected',
    detail: `Somebody has rejected it; it is not repeated before ${until.toISOString().slice(0, 10)}.`,
    unlock:
      'Reopen the rejected one, or wait: a changed workload or a saving that is half as large again brings it back.',
  }))
  const rows = [...withheld, ...rejected].map(({ ruleId, target, reason, detail, unlock }) => ({
    ruleId,
    targetKey: target === null ? '' : targetKey(target),
    namespace: target?.namespace ?? '',
    target,
    reason,
    detail,
    unlock,
  }))
  // Of two reasons for one thing the first is enough.
  return [...new Map(rows.reverse().map((row) => [openKey(row.ruleId, row.targetKey), row])).values()]
}
