import type { Failures } from '@plimsoll/engine'
import { hoursBefore } from '../analysis/stored-usage.ts'
import type { Db } from '../db/database.ts'
import { listFailedHours, type FailedHour } from '../db/usage-facts.ts'
import { containerIdOf } from '../db/usage-rows.ts'
import type { AppliedRow } from '../db/verifications.ts'

export type Compared = { before: Failures; since: Failures }

/** For so long after a change, what fails is held against it; so long before it is compared with. */
const judgedMs = 7 * 86_400_000
const dayMs = 86_400_000

/** How often containers failed before and after their requests were changed; null where that is not known or long ago. */
export async function loadFailures(
  tx: Db,
  clusterId: string,
  rows: readonly AppliedRow[],
  now: Date,
): Promise<(row: AppliedRow) => Compared | null> {
  const judged = rows.filter((row) => isJudged(row, now))
  if (judged.length === 0) return () => null
  const ids = judged.map(containerOf)
  const byContainer = new Map<string, FailedHour[]>()
  for (const hour of await listFailedHours(tx, clusterId, ids, hoursBefore(now.getTime() / 1000))) {
    byContainer.set(hour.containerId, [...(byContainer.get(hour.containerId) ?? []), hour])
  }
  return (row) => (isJudged(row, now) ? compare(byContainer.get(containerOf(row)) ?? [], row.done_at, now) : null)
}

const isJudged = (row: AppliedRow, now: Date) =>
  row.content.change.action === 'set_requests' &&
  row.workload_kind !== null &&
  row.workload_name !== null &&
  now.getTime() - row.done_at.getTime() <= judgedMs

const containerOf = (row: AppliedRow) =>
  containerIdOf([row.namespace, row.workload_kind ?? '', row.workload_name ?? '', row.container ?? ''])

/** Per day; less than a day counts as one, or a single restart would be many. */
function compare(hours: readonly FailedHour[], doneAt: Date, now: Date): Compared {
  const from = doneAt.getTime() - judgedMs
  const before = hours.filter(({ hour }) => hour.getTime() >= from && hour.getTime() < doneAt.getTime())
  const since = hours.filter(({ hour }) => hour.getTime() >= doneAt.getTime())
  return {
    before: failuresOf(before, judgedMs / dayMs),
    since: failuresOf(since, Math.max(1, (now.getTime() - doneAt.getTime()) / dayMs)),
  }
}

const failuresOf = (hours: readonly FailedHour[], days: number): Failures => ({
  oomKills: atLeastTwo(hours.reduce((sum, { oomKills }) => sum + oomKills, 0)) / days,
  restarts: hours.reduce((sum, { restarts }) => sum + restarts, 0) / days,
  throttled: null,
})

/** One may be chance, or have come before the change was rolled out. */
const atLeastTwo = (kills: number) => (kills < 2 ? 0 : kills)
