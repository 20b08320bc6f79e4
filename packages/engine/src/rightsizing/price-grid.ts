import type { Frontier } from './frontier.ts'
import { edgeOf } from './histogram.ts'

/**
 * The prices of rehearsed decisions, followed by safety margins above the forecast maximum for budgets above the sum of
 * all maxima. With a fixed grid a rehearsal of a fleet needs only sums, and no container is retained.
 */
const PRICE_COUNT = 32
const LOWEST_PRICE = 0.3
const HIGHEST_PRICE = 400
const PRICES = Float64Array.from(
  { length: PRICE_COUNT },
  (_, index) => LOWEST_PRICE * (HIGHEST_PRICE / LOWEST_PRICE) ** (index / (PRICE_COUNT - 1)),
)
const HEADROOMS = Float64Array.from([1.1, 1.25, 1.5, 2, 3, 5])
export const GRID_SIZE = PRICE_COUNT + HEADROOMS.length

/** The request at each point of the grid, ascending. */
export function fillGrid(grid: Float64Array, frontier: Frontier, factor: number, floorUnits: number): void {
  const { count, buckets, prices } = frontier
  let corner = 0
  let units = requestOf(buckets, 0, factor, floorUnits)
  for (let point = 0; point < PRICE_COUNT; point++) {
    const price = PRICES[point] ?? 0
    if (corner + 1 < count && (prices[corner + 1] ?? 0) <= price) {
      while (corner + 1 < count && (prices[corner + 1] ?? 0) <= price) corner++
      units = requestOf(buckets, corner, factor, floorUnits)
    }
    grid[point] = units
  }
  const largest = factor * edgeOf(buckets[count - 1] ?? 0)
  for (let point = PRICE_COUNT; point < GRID_SIZE; point++) {
    grid[point] = Math.max(floorUnits, largest * (HEADROOMS[point - PRICE_COUNT] ?? 1))
  }
}

function requestOf(buckets: Uint16Array, corner: number, factor: number, floorUnits: number): number {
  return Math.max(floorUnits, factor * edgeOf(buckets[corner] ?? 0))
}
