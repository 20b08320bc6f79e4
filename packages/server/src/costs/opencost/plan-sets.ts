import type { AllocationStep } from '@plimsoll/contract'
import { dayMs, hourMs } from '@plimsoll/engine'
import type { OpencostWindow } from '@plimsoll/engine/opencost'

export const accumulations = ['hour', 'day', 'week', 'month', 'quarter'] as const
export type Accumulation = (typeof accumulations)[number]

/** `all`: one set. A number: sets of so many milliseconds from the start of the window. */
export type SetLength = 'all' | Accumulation | number

export type SetSpan = { from: Date; to: Date }

/** The sets of an answer, and the steps in which their costs are stored. */
export type SetPlan = { step: AllocationStep; sets: SetSpan[] }

export function planSets(window: OpencostWindow, length: SetLength): SetPlan {
  if (length === 'all') return { step: 'none', sets: [window] }
  const sets: SetSpan[] = []
  let from = window.from
  while (from < window.to) {
    const to = new Date(Math.min(endOfSet(from, length).getTime(), window.to.getTime()))
    sets.push({ from, to })
    from = to
  }
  return { step: areDays(window, length) ? 'day' : 'hour', sets }
}

function endOfSet(from: Date, length: Accumulation | number): Date {
  if (typeof length === 'number') return new Date(from.getTime() + length)
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()]
  const ends: Record<Accumulation, number> = {
    hour: from.getTime() + hourMs,
    day: Date.UTC(year, month, day + 1),
    week: Date.UTC(year, month, day + 7 - from.getUTCDay()),
    month: Date.UTC(year, month + 1, 1),
    quarter: Date.UTC(year, Math.floor(month / 3) * 3 + 3, 1),
  }
  return new Date(ends[length])
}

/** Sets that end at midnight UTC are sums of days. */
const areDays = ({ from }: OpencostWindow, length: Accumulation | number) =>
  typeof length === 'number' ? length % dayMs === 0 && from.getTime() % dayMs === 0 : length !== 'hour'

/** The set of a stored step. A day belongs to the set that contains its part in the window. */
export function setIndexOf({ step, sets }: SetPlan, key: number): number {
  if (step === 'none') return 0
  const first = sets[0]?.from.getTime() ?? 0
  const at = Math.max(key, first)
  return sets.findIndex(({ from, to }) => at >= from.getTime() && at < to.getTime())
}
