const COUNT = 2_000_000
/** Of a 2.5 GHz Xeon core that nobody else uses. */
const QUIET_MS = 180

/**
 * How slow the machine is at this moment: shared ones change by a factor of three within minutes, and a figure means little
 * without it. Measured by sorting numbers, in CPU time.
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
