export const isFull = process.env.PLIMSOLL_TEST_ROUNDS === 'full'

/**
 * How often a slow test repeats. `npm test` needs one round of each kind; `.ci/run` and `npm run prove` set
 * `PLIMSOLL_TEST_ROUNDS=full`.
 */
export function rounds({ short, full }: { short: number; full: number }): number {
  return isFull ? full : short
}

/**
 * The inputs of a property test. `npm test` uses an eighth of them: the same seed gives the same first inputs, so a full
 * run covers them too.
 */
export function lawRuns(full: number): { numRuns: number } {
  return { numRuns: rounds({ short: Math.ceil(full / 8), full }) }
}
