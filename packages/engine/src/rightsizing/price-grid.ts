import type { Frontier } from './frontier.ts'
import { edgeOf } from './histogram.ts'

/**
 * The prices at which rehearsed decisions are tried, and after them head-rooms above the forecast's maximum for budgets that
 * are larger than all maxima together. A grid, so that a fleet's rehearsal needs sums only and no container is kept.
 */
const PRICE_COUNT = 40
const LOWEST_PRICE = 0.3
const HIGHEST_PRICE = 400
const PRICES = Float64Array.from(
  { length: PRICE_COUNT },
  (_, index) => LOWEST_PRICE * (HIGHEST_PRICE / LOWEST_PRICE) ** (index / (PRICE_COUNT - 1)),
)
const HEADROOMS = Float64Array.from([1.1, 1.25, 1.5, 2, 3, 5])
export const GRID_SIZE = PRICE_COUNT + HEADROOMS.length

/** The request at each point of the grid, ascending, before factors and floors. */
export function fillGrid(grid: Float64Array, frontier: Frontier): void {
  let corner = 0
  for (let point = 0; point < PRICE_COUNT; point++) {
    const price = PRICES[point] ?? 0
    while (corner + 1 < frontier.count && (frontier.prices[corner + 1] ?? 0) <= price) corner++
    grid[point] = edgeOf(frontier.buckets[corner] ?? 0)
  }
  const largest = edgeOf(frontier.buckets[frontier.count - 1] ?? 0)
  for (let point = PRICE_COUNT; point < GRID_SIZE; point++) {
    grid[point] = largest * (HEADROOMS[point - PRICE_COUNT] ?? 1)
  }
}
