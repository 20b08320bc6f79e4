/** False if the process does not exist, or belongs to another user. */
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
