/** Said so often at most: enough to see that it goes on, and few lines where they are kept. */
const everySeconds = 5

/** Says how much of something long is done, from time to time, and what `left` says of the rest. */
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

/** Of several things at once, how much of all of them is done: each has its weight, and a listener of its own. */
export function joined(weights: readonly number[], onShare: (share: number) => void): ((share: number) => void)[] {
  const done = weights.map(() => 0)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight, index) => (share) => {
    done[index] = weight * Math.min(1, share)
    onShare(done.reduce((sum, each) => sum + each, 0) / whole)
  })
}

/** Which of the stages begins. What an earlier start has behind it is not counted again. */
export const stepWords = ({ done, left, what }: { done: number; left: number; what: string }) =>
  `Step ${done + 1} of ${done + left}: ${what}`
