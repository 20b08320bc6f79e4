import { linear, ticks as ticksOf, type Scale } from './scale.ts'

export type Box = { left: number; right: number; top: number; bottom: number }

/** Space below the lowest bill: a share of the difference between the bills, at least a share of the highest bill. */
type Margin = { ofDifference: number; ofHighest: number }

const tickCount = 4

/** The axis begins below the lowest bill, so that small changes are visible. */
export function billAxis(bills: readonly number[], { top, bottom }: Box, { ofDifference, ofHighest }: Margin) {
  const [low, high] = [Math.min(...bills), Math.max(...bills)]
  const from = Math.max(0, low - Math.max(ofDifference * (high - low), high * ofHighest))
  const ticks = ticksOf(from, high, tickCount).filter((tick) => tick <= high)
  const base = ticks[0] ?? 0
  const y: Scale = linear([base, high], [bottom, top])
  return { ticks, base, y }
}

/** Tenths of a pixel keep the markup short. */
export const pixels = (value: number) => Math.round(value * 10) / 10
