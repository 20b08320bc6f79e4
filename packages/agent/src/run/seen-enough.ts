import type { Observer } from '../observer.ts'

/** Long enough for several usage samples. */
const lookSeconds = 40

export type LookOptions = {
  logInfo: (message: string, fields?: object) => void
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** For one-shot modes: resolves when all kinds are listed and, if there is a source, usage was sampled for a while. */
export async function seenEnough(
  observer: Pick<Observer, 'synced' | 'conditions'>,
  { logInfo, sleep }: LookOptions,
  signal: AbortSignal,
): Promise<void> {
  logInfo('listing all resources')
  await Promise.race([observer.synced, aborted(signal)])
  if (signal.aborted) return
  logInfo(`all resources are listed; sampling container usage for ${lookSeconds} s`)
  for (let seconds = 0; seconds < lookSeconds && !signal.aborted; seconds += 1) {
    const unknown = observer.conditions().find(({ kind, reason }) => kind === 'usage' && reason === 'NoSource')
    if (unknown) return logInfo(`${unknown.message} The agent continues without usage data.`)
    await sleep(1, signal)
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
