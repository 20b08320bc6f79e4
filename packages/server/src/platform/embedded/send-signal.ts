/** False if there is no such process, or none that we may touch. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

export function isInUse(pid: number): boolean {
  return sendSignal(pid, 0)
}
