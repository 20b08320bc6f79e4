export const isFull = process.env.PLIMSOLL_TEST_ROUNDS === 'full'

/**
 * How often a slow test repeats. `npm test` needs one round of each kind; `.ci/run` and `npm run prove` set
 * `PLIMSOLL_TEST_ROUNDS=full`.
 */
export function rounds({ short, full }: { short: number; full: number }): number {
  return isFull ? full : short
}
