const COUNT = 2_000_000
/** On an idle 2.5 GHz Xeon core. */
const QUIET_MS = 180

/**
 * The current speed of the machine. Shared machines vary by a factor of three within minutes, so results need it as a
 * reference. Measured by sorting numbers, in CPU time.
 */
export function printPace(): void {
  const ms = Math.min(sortMs(), sortMs(), sortMs())
  const factor = (ms / QUIET_MS).toFixed(1)
  console.log(`pace: sorting two million numbers took ${ms.toFixed(0)} ms, ${factor} × the time on an idle core`)
}

function sortMs(): number {
  let state = 1
  const numbers = Float64Array.from({ length: COUNT }, () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31))
  const before = process.cpuUsage()
  numbers.sort()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
