import type { Millis } from './alert-state.ts'
import { quietUntil, type QuietTime } from './quiet-time.ts'

/** Alerts of this time go into one message. */
export const COLLECT_MS = 5 * 60_000

/** People get one message for each channel in this time, urgent alerts aside. */
export const GROUP_MS = 60 * 60_000

/** A message about an alert that waits for one channel. */
export type Notice = {
  readonly dueAt: Millis
  readonly isUrgent: boolean
  readonly isEnd: boolean
  readonly snoozedUntil: Millis | null
}

export type HoldReason = 'snoozed' | 'quiet_hours' | 'grouped'

export type ChannelSituation = {
  readonly now: Millis
  readonly quiet: QuietTime
  /** People read the channel, so notices are grouped into one message. */
  readonly isGrouped: boolean
  /** When the last group was sent. */
  readonly lastGroupAt: Millis | null
}

export type NoticePlan<T extends Notice> = {
  /** Each is a separate message. */
  readonly alone: readonly T[]
  /** Together one message. */
  readonly group: readonly T[]
  readonly held: readonly { readonly notice: T; readonly until: Millis; readonly reason: HoldReason }[]
}

/** Decides which notices are sent now. A group takes every notice that nothing else holds. */
export function planNotices<T extends Notice>(notices: readonly T[], situation: ChannelSituation): NoticePlan<T> {
  const { now, isGrouped, lastGroupAt } = situation
  const held = notices.flatMap((notice) => heldBack(notice, situation))
  const heldNotices = new Set(held.map(({ notice }) => notice))
  const free = notices.filter((notice) => !heldNotices.has(notice))
  const isAlone = ({ isUrgent }: T) => isUrgent || !isGrouped
  const alone = free.filter((notice) => isAlone(notice) && notice.dueAt <= now)
  const rest = free.filter((notice) => !isAlone(notice))
  if (!rest.some(({ dueAt }) => dueAt <= now)) return { alone, group: [], held }
  const until = lastGroupAt === null ? now : lastGroupAt + GROUP_MS
  if (until <= now) return { alone, group: rest, held }
  return { alone, group: [], held: [...held, ...rest.map((notice) => ({ notice, until, reason: 'grouped' as const }))] }
}

function heldBack<T extends Notice>(notice: T, { now, quiet }: ChannelSituation): NoticePlan<T>['held'] {
  const { isUrgent, isEnd, snoozedUntil } = notice
  if (!isEnd && snoozedUntil !== null && snoozedUntil > now) return [{ notice, until: snoozedUntil, reason: 'snoozed' }]
  const until = isUrgent ? null : quietUntil(now, quiet)
  return until === null ? [] : [{ notice, until, reason: 'quiet_hours' }]
}
