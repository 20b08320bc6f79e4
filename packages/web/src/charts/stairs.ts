import { linear, ticks as ticksOf, type Scale } from './scale.ts'

/** A tread in pixels. `riser`: the height of the tread before. */
export type Stair = { from: number; to: number; y: number; riser: number; bottom: number }

type Box = { left: number; right: number; top: number; bottom: number }

const tickCount = 4

/**
 * One tread for each bill, all of the same width. The axis begins below the lowest bill, so that a small step is visible: most of
 * the height belongs to the way down.
 */
export function stairsOf(bills: readonly number[], { left, right, top, bottom }: Box) {
  const high = Math.max(...bills)
  const low = Math.min(...bills)
  const from = Math.max(0, low - Math.max(0.4 * (high - low), high * 0.05))
  const ticks = ticksOf(from, high, tickCount).filter((tick) => tick <= high)
  const y: Scale = linear([ticks[0] ?? 0, high], [bottom, top])
  const width = (right - left) / bills.length
  const treads = bills.map((bill, index): Stair => ({
    from: round(left + index * width),
    to: round(left + (index + 1) * width),
    y: round(y(bill)),
    riser: round(y(bills[index - 1] ?? bill)),
    bottom,
  }))
  return { treads, ticks, y }
}

const round = (value: number) => Math.round(value * 10) / 10
