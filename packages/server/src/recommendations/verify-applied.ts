import type { VerificationDetail, VerificationState } from '@plimsoll/contract'
import { REGRESSIONS } from '@plimsoll/engine/vocabulary'
import { HOURS_PER_MONTH, dayMs } from '@plimsoll/engine'
import type { ContainerSpec, Observation, Target } from '@plimsoll/engine/rules'
import { listRegressions, realisedUsd, regressionWords, verifyChange, wayGone } from '@plimsoll/engine/verification'
import { evaluateRule } from '../alerts/index.ts'
import { findCluster } from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import { insertHistory } from './queries/recommendation-history.ts'
import { suppress, suppressedUntil } from './queries/suppressions.ts'
import { addCredit, lockApplied, updateVerification, type AppliedRow, type Credit } from './queries/verifications.ts'
import { revertedConditions, type LostChange } from './reverted-conditions.ts'
import { changedAtOf, isThere, judgedMs, loadFailures, type Compared } from './failures.ts'
import { isAtRest, openKey, quantities } from '@plimsoll/pipeline/advice'

/** Savings are counted for this time after a change. */
const creditedDays = 90

export type Seen = {
  observe: (target: Target) => Observation
  /** Whether the rule still finds it, by rule and target. */
  isFound: (key: string) => boolean
  /** Whether the rule could not run, so that a missing finding means nothing. */
  isUnjudged: (key: string, ruleId: string) => boolean
}

/** Verifies applied changes, and counts their savings. Returns whether some did not last. */
export async function verifyApplied(tx: Db, clusterId: string, seen: Seen, now: Date): Promise<boolean> {
  const rows = await lockApplied(tx, clusterId, creditedSince(now))
  const failuresOf = await loadFailures(tx, clusterId, rows, now)
  const lost: LostChange[] = []
  for (const row of rows) {
    const state = await verifyOne(tx, row, { ...seen, failures: failuresOf(row) }, now)
    if (state !== row.verification && (state === 'reverted' || state === 'regressed')) lost.push(lostChange(row, state))
  }
  if (lost.length > 0) await alertOfLost(tx, clusterId, lost, now)
  return lost.length > 0
}

const lostChange = (row: AppliedRow, state: LostChange['state']): LostChange => ({
  recommendationId: row.recommendation_id,
  namespace: row.namespace,
  title: row.title,
  state,
  usdPerMonth: Number(row.estimated_savings),
})

/** Earlier alerts stay open for a week. */
async function alertOfLost(tx: Db, clusterId: string, lost: readonly LostChange[], now: Date): Promise<void> {
  const cluster = await findCluster(tx, clusterId)
  const conditions = revertedConditions({ clusterId, name: cluster?.name ?? clusterId }, lost, now)
  await evaluateRule(tx, { rule: 'saving_reverted', conditions, isUnknown: () => true }, now)
}

export const creditedSince = (now: Date) => new Date(now.getTime() - creditedDays * dayMs)

type SeenOne = Seen & { failures: Compared | null }

async function verifyOne(tx: Db, row: AppliedRow, seen: SeenOne, now: Date): Promise<VerificationState> {
  const observed = seen.observe(row.content.target)
  const key = openKey(row.rule_id, row.target_key)
  const isFound = seen.isUnjudged(key, row.rule_id) ? undefined : seen.isFound(key)
  const state = verifyChange({
    state: row.verification,
    doneAt: row.done_at.getTime() / 1000,
    now: now.getTime() / 1000,
    ways: waysOf(row, observed, isFound),
    failures: seen.failures,
  })
  const usdPerMs = usdPerMsOf(row, state, observed)
  const credits = creditsOf(row, state, usdPerMs, now)
  await addCredit(tx, row, credits)
  const saved = Number(row.verified_usd) + credits.reduce((sum, { verifiedUsd }) => sum + verifiedUsd, 0)
  const detail = {
    observed_at: (changedAtOf(row) ?? (isThere(state) ? now : null))?.toISOString() ?? null,
    checked_at: now.toISOString(),
    live_spec: quantities(observed.kind === 'seen' && row.content.current !== null ? observed : null),
    observed_savings: Number((usdPerMs * msPerMonth).toFixed(6)),
    realised_savings: Number(saved.toFixed(6)),
    message: messageOf(row, state, seen.failures),
    watch: watchOf(row, seen.failures),
  }
  await updateVerification(tx, row, { state, detail }, now)
  if (state !== row.verification) await insertHistory(tx, 'verification', [historyOf(row, state, detail, now)])
  // A reverted change is not recommended again the same day.
  if (state === 'reverted' && row.verification !== 'reverted') await suppress(tx, [row], suppressedUntil(now))
  return state
}

/** The progress of each part of the change. A change without a container is done when nothing is found. */
function waysOf({ content }: AppliedRow, observed: Observation, isFound: boolean | undefined): number[] {
  const { current, recommended, change } = content
  if (observed.kind === 'unknown') return []
  if (change.action === 'delete') {
    const isGone = observed.kind === 'gone' ? 1 : 0
    return content.outlivesObject ? [isGone, 0] : [isGone]
  }
  if (observed.kind === 'gone') return []
  if (change.action !== 'set_requests' || current === null || recommended === null)
    return isFound === undefined || isAtRest(content, observed) ? [] : [isFound ? 0 : 1]
  return changing(current, recommended).map((name) => wayGone(current[name], recommended[name], observed[name]))
}

const changing = (current: ContainerSpec, recommended: ContainerSpec) =>
  (['cpuMillicores', 'memoryKib'] as const).filter((name) => current[name] !== recommended[name])

/** From the last count until now, split by month. Only observed time counts. */
function creditsOf(row: AppliedRow, state: VerificationState, usdPerMs: number, now: Date): Credit[] {
  const from = row.counted_until ?? row.done_at
  const parts = monthsBetween(from, now)
  const credits = parts.map(({ month, start, end }) => ({
    month,
    verifiedUsd: usdPerMs * (end.getTime() - start.getTime()),
    revertedUsd: 0,
    countedUntil: end,
  }))
  if (state !== 'reverted' || row.verification === 'reverted') return credits
  const undone = { month: monthOf(now), verifiedUsd: 0, revertedUsd: Number(row.estimated_savings), countedUntil: now }
  return [...credits, undone]
}

const msPerMonth = HOURS_PER_MONTH * 3_600_000

function usdPerMsOf(row: AppliedRow, state: VerificationState, observed: Observation): number {
  const { current, change, outlivesObject } = row.content
  if (!isThere(state) || outlivesObject) return 0
  if (change.action !== 'set_requests' || current === null) return Number(row.estimated_savings) / msPerMonth
  if (observed.kind !== 'seen' || observed.price === null) return 0
  const { price, meanReplicas, replicas: runningReplicas } = observed
  // Between two runs of a job no pod runs, and each run still requests less than before.
  const replicas = meanReplicas ?? runningReplicas
  return realisedUsd({ before: current, live: observed, replicas, seconds: 1, price }) / 1000
}

type Part = { month: string; start: Date; end: Date }

function monthsBetween(from: Date, to: Date): Part[] {
  const parts: Part[] = []
  for (let start = from; start < to;) {
    const next = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
    const end = next < to ? next : to
    parts.push({ month: monthOf(start), start, end })
    start = end
  }
  return parts
}

const monthOf = (at: Date) => `${at.toISOString().slice(0, 7)}-01`

const messages: Record<VerificationState, string> = {
  awaiting: 'The change has not been observed in the cluster yet.',
  verified: 'The cluster matches the recommendation.',
  partial: 'Only some of the recommended values are applied in the cluster.',
  not_observed: 'The change was not observed within seven days.',
  reverted: 'The change was observed, and later the old values were restored.',
  regressed: regressionWords([]),
}

/** Only observed savings count, and a disk at the provider is not observed. */
function messageOf(row: AppliedRow, state: VerificationState, failures: Compared | null): string {
  if (row.content.outlivesObject && state === 'partial')
    return 'The volume is deleted in the cluster. Plimsoll cannot see the disk at the provider, so it counts no savings.'
  return state === 'regressed' ? regressionWords(watchOf(row, failures)?.regressions ?? []) : messages[state]
}

type Watch = NonNullable<VerificationDetail['watch']>

/** What rose once stays recorded, and after seven days the last comparison stays. */
function watchOf({ verification_detail: last }: AppliedRow, failures: Compared | null): Watch | null {
  const before = last?.watch ?? null
  if (failures === null) return before
  const risen = new Set([...(before?.regressions ?? []), ...listRegressions(failures)])
  return {
    until: new Date(failures.changedAt.getTime() + judgedMs).toISOString(),
    before: failures.before.counted,
    since: failures.since.counted,
    regressions: REGRESSIONS.filter((each) => risen.has(each)),
  }
}

const historyOf = (row: AppliedRow, state: VerificationState, { message }: { message: string }, now: Date) => ({
  cluster_id: row.cluster_id,
  recommendation_id: row.recommendation_id,
  position: row.revision + 1,
  at: now,
  action: state,
  from_status: row.status,
  to_status: row.status,
  actor_kind: null,
  actor_id: null,
  actor_email: null,
  reason: message,
  detail: JSON.stringify({ before: row.verification }),
})
