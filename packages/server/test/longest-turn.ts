/**
 * The longest time for which `work` blocked the event loop, in milliseconds. For each turn of the loop the smaller of
 * two values counts: CPU time, which includes other threads of the process, and elapsed time, which includes other
 * processes.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  let before = clocks()
  const turn = () => {
    const now = clocks()
    longest = Math.max(longest, Math.min(now.cpuMs - before.cpuMs, now.elapsedMs - before.elapsedMs))
    before = now
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isDone = true
    turn()
  }
  return longest
}

function clocks(): { cpuMs: number; elapsedMs: number } {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, elapsedMs: performance.now() }
}
