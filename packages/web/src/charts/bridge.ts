import { billAxis, pixels, type Box } from './bill-axis.ts'

export type BridgeBar = { from: number; to: number; top: number; bottom: number; level: number; isRise: boolean }

const filled = 0.62

/**
 * The first bill, one bar for each change at the height of the bill before it, and the last bill.
 * `level`: the height of the bill after the bar.
 */
export function bridgeOf(before: number, changes: readonly number[], box: Box) {
  let bill = before
  const bills = [before, ...changes.map((each) => (bill += each))]
  const { ticks, base, y } = billAxis(bills, box, { ofDifference: 0.25, ofHighest: 0.02 })
  const slot = (box.right - box.left) / (bills.length + 1)
  const barAt = (index: number, start: number, end: number): BridgeBar => {
    const from = box.left + (index + (1 - filled) / 2) * slot
    const [upper, lower] = [y(Math.max(start, end)), y(Math.min(start, end))]
    return {
      from: pixels(from),
      to: pixels(from + filled * slot),
      top: pixels(upper),
      bottom: pixels(Math.max(lower, upper + 1)),
      level: pixels(y(end)),
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
