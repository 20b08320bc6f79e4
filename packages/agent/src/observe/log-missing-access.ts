import { conditionText } from './condition-text.ts'
import type { Observer } from '../observer.ts'

export type MissingAccessOptions = {
  log: (missing: Record<string, string>) => void
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
  everySeconds: number
}

/** The agent sends nothing until all kinds are listed, so only its log shows what it waits for. */
export async function logMissingAccess(
  observer: Pick<Observer, 'synced' | 'freshness' | 'conditions'>,
  { log, sleep, everySeconds }: MissingAccessOptions,
  signal: AbortSignal,
): Promise<void> {
  const synced = new AbortController()
  void observer.synced.then(() => synced.abort())
  const done = AbortSignal.any([signal, synced.signal])
  while (!done.aborted) {
    await sleep(everySeconds, done)
    if (done.aborted) return
    const why = new Map(observer.conditions().map((each) => [each.kind, conditionText(each)]))
    const missing = observer.freshness().filter((each) => !each.synced)
    log(
      Object.fromEntries(
        missing.map(({ kind }) => [kind, why.get(kind) ?? why.get('api_server') ?? 'no response yet']),
      ),
    )
  }
}
