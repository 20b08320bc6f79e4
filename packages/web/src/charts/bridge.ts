import { linear, ticks as ticksOf } from './scale.ts'

export type BridgeBar = { from: number; to: number; top: number; bottom: number; level: number; isRise: boolean }

type Box = { left: number; right: number; top: number; bottom: number }

const tickCount = 4
const filled = 0.62

/**
 * The first bill, one bar for each change at the height where the bill was, and the last bill. The axis begins below the
 * lowest bill, so that small changes are visible. `level`: the height of the bill after the bar.
 */
export function bridgeOf(before: number, changes: readonly number[], { left, right, top, bottom }: Box) {
  let bill = before
  const bills = [before, ...changes.map((each) => (bill += each))]
  const [low, high] = [Math.min(...bills), Math.max(...bills)]
  const axisFrom = Math.max(0, low - Math.max(0.25 * (high - low), high * 0.02))
  const ticks = ticksOf(axisFrom, high, tickCount).filter((tick) => tick <= high)
  const base = ticks[0] ?? 0
  const y = linear([base, high], [bottom, top])
  const slot = (right - left) / (bills.length + 1)
  const barAt = (index: number, start: number, end: number): BridgeBar => {
    const from = left + (index + (1 - filled) / 2) * slot
    const [upper, lower] = [y(Math.max(start, end)), y(Math.min(start, end))]
    return {
      from: round(from),
      to: round(from + filled * slot),
      top: round(upper),
      bottom: round(Math.max(lower, upper + 1)),
      level: round(y(end)),
      isRise: end > start,
    }
  }
  const last = bills.at(-1) ?? before
  const bars = [
    barAt(0, base, before),
    ...changes.map((_each, index) => barAt(index + 1, bills[index] ?? 0, bills[index + 1] ?? 0)),
    barAt(bills.length, base, last),
  ]
  return { bars, ticks, y, slot }
}

const round = (value: number) => Math.round(value * 10) / 10
