import { billAxis, pixels, type Box } from './bill-axis.ts'

/** A tread in pixels. `riser`: the height of the tread before. */
export type Stair = { from: number; to: number; y: number; riser: number; bottom: number }

/** One tread for each bill, all of the same width. */
export function stairsOf(bills: readonly number[], box: Box) {
  const { ticks, y } = billAxis(bills, box, { ofDifference: 0.4, ofHighest: 0.05 })
  const { left, right, bottom } = box
  const width = (right - left) / bills.length
  const treads = bills.map((bill, index): Stair => ({
    from: pixels(left + index * width),
    to: pixels(left + (index + 1) * width),
    y: pixels(y(bill)),
    riser: pixels(y(bills[index - 1] ?? bill)),
    bottom,
  }))
  return { treads, ticks, y }
}
