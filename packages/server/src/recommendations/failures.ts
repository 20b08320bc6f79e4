import type { VerificationState } from '@plimsoll/contract'
import { groupBy, hourMs } from '@plimsoll/engine'
import { throttledShare } from '@plimsoll/engine/rules'
import type { Failures } from '@plimsoll/engine/verification'
import { hoursBefore } from './analysis/stored-usage.ts'
import type { Db } from '../platform/db/database.ts'
import { listFailureHours, type FailureHour } from './queries/usage-facts.ts'
import { containerIdOf } from '../ingest/index.ts'
import type { AppliedRow } from './queries/verifications.ts'

/** Per day for the decision, and as counted for users. */
export type Observed = Failures & { counted: Counted }

type Counted = { hours: number; oom_kills: number; restarts: number; throttled: number | null }

export type Compared = { changedAt: Date; before: Observed; since: Observed }

/** Failures count against a change for this time, compared with the same time before. */
export const judgedMs = 7 * 86_400_000
const hoursPerDay = 24

/**
 * How often containers failed before and after the observed change of their requests; null: unknown or too long ago.
 */
export async function loadFailures(
  tx: Db,
  clusterId: string,
  rows: readonly AppliedRow[],
  now: Date,
): Promise<(row: AppliedRow) => Compared | null> {
  const judged = rows.filter((row) => isJudged(row, now))
  if (judged.length === 0) return () => null
  const ids = [...new Set(judged.map(containerOf))]
  const hours = await listFailureHours(tx, clusterId, ids, hoursBefore(now.getTime() / 1000))
  const byContainer = groupBy(hours, ({ containerId }) => containerId)
  return (row) => {
    const changedAt = changedAtOf(row)
    return changedAt && isJudged(row, now) ? compare(byContainer.get(containerOf(row)) ?? [], changedAt) : null
  }
}

/** When the cluster first showed the change: earlier failures are not its effect. */
export const changedAtOf = (row: AppliedRow): Date | null => {
  const { verification_detail: detail, status, verification, done_at } = row
  if (detail?.observed_at) return new Date(detail.observed_at)
  // A resolved change was observed when it was stored; for older verifications no better time is known.
  return status === 'resolved' || isThere(verification) ? done_at : null
}

/** Whether the cluster shows the change, or a part of it. */
export const isThere = (state: VerificationState): boolean =>
  state === 'verified' || state === 'partial' || state === 'regressed'

function isJudged(row: AppliedRow, now: Date): boolean {
  const changedAt = changedAtOf(row)
  return (
    row.content.change.action === 'set_requests' &&
    row.workload_kind !== null &&
    row.workload_name !== null &&
    changedAt !== null &&
    now.getTime() - changedAt.getTime() <= judgedMs
  )
}

const containerOf = (row: AppliedRow) =>
  containerIdOf([row.namespace, row.workload_kind ?? '', row.workload_name ?? '', row.container ?? ''])

/** The hour of the change belongs to neither side, because the rollout restarts its pods. */
function compare(hours: readonly FailureHour[], changedAt: Date): Compared {
  const hourOfChange = Math.floor(changedAt.getTime() / hourMs) * hourMs
  const from = hourOfChange - judgedMs
  return {
    changedAt,
    before: failuresOf(hours.filter(({ hour }) => hour.getTime() >= from && hour.getTime() < hourOfChange)),
    since: failuresOf(hours.filter(({ hour }) => hour.getTime() > hourOfChange)),
  }
}

/** Per observed day; less than a day counts as one, or a single restart would count as many. */
function failuresOf(hours: readonly FailureHour[]): Observed {
  const days = Math.max(1, hours.length / hoursPerDay)
  const sum = (of: (hour: FailureHour) => number | null) => hours.reduce((total, hour) => total + (of(hour) ?? 0), 0)
  const counted = {
    hours: hours.length,
    oom_kills: sum(({ oomKills }) => oomKills),
    restarts: sum(({ restarts }) => restarts),
    throttled: throttledShare({
      periods: sum(({ cpuPeriods }) => cpuPeriods),
      throttledPeriods: sum(({ throttledPeriods }) => throttledPeriods),
    }),
  }
  const { oom_kills: kills, restarts, throttled } = counted
  return { oomKills: atLeastTwo(kills) / days, restarts: restarts / days, throttled, counted }
}

/** A single kill may be chance. */
const atLeastTwo = (kills: number) => (kills < 2 ? 0 : kills)
