import { monthPattern, type StatementState } from '@plimsoll/contract'
import { parseWindow, previousWindow, type HourWindow } from '../costs/index.ts'

export type StatementMonth = {
  readonly month: string
  readonly state: StatementState
  readonly windows: { readonly now: HourWindow; readonly before: HourWindow }
}

const wholePattern = new RegExp(`^${monthPattern}$`)

export const isMonth = (text: string): boolean => wholePattern.test(text)

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

/** The month before the one that contains the time. */
export const monthBefore = (at: Date): string => monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 0)))

/** Months are calendar months in UTC, as in budgets. Null: the month has not begun. */
export function readMonth(month: string, now: Date): StatementMonth | null {
  const current = monthOf(now)
  if (month > current) return null
  const from = new Date(`${month}-01T00:00:00Z`)
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
  const isOpen = month === current
  const window: HourWindow = isOpen ? parseWindow({ window: 'month' }, now) : { name: 'custom', from, to }
  const before = previousWindow({ ...window, name: 'month' })
  return { month, state: isOpen ? 'open' : 'provisional', windows: { now: window, before } }
}
