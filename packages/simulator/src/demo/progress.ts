/** The minimum interval: enough to show progress, without many log lines. */
const everySeconds = 5

/** Prints the progress of a long task at intervals, with the remaining time of `left`. */
export function progressOf(
  what: string,
  say: (text: string) => void,
  now: () => number,
  left: () => string = () => '',
): (share: number) => void {
  let saidAt = now()
  return (share) => {
    if (now() - saidAt < everySeconds) return
    saidAt = now()
    say(`${what}: ${Math.floor(100 * Math.min(1, share))} %${left()}`)
  }
}

/** The combined progress of parallel tasks: each has a weight and a listener. */
export function joined(weights: readonly number[], onShare: (share: number) => void): ((share: number) => void)[] {
  const done = weights.map(() => 0)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight, index) => (share) => {
    done[index] = weight * Math.min(1, share)
    onShare(done.reduce((sum, each) => sum + each, 0) / whole)
  })
}

/** The next stage. Stages of an earlier start are not counted again. */
export const stepWords = ({ done, left, what }: { done: number; left: number; what: string }) =>
  `Step ${done + 1} of ${done + left}: ${what}`
