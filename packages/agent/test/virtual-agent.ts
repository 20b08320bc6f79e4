import { onTestFinished } from 'vitest'
import { Reporter } from '../src/run/reporter.ts'
import { ServerClock } from '../src/run/server-clock.ts'
import { Outbox } from '../src/send/outbox.ts'
import { Sender, type SenderDeps } from '../src/send/sender.ts'
import { CLUSTER_UID, scriptedObserver, START } from './scripted-observer.ts'

export type VirtualOptions = {
  directory: string
  fetch: typeof fetch
  readToken?: () => Promise<string>
  startAt?: number
  bytesMax?: number
  segmentBytes?: number
}

/** An agent whose time advances only on request. */
export async function openVirtualAgent(options: VirtualOptions) {
  const { directory, fetch, readToken = async () => 'pla_test', startAt = START } = options
  let elapsed = 0
  let epochs = 0
  const monotonic = () => elapsed
  const clock = new ServerClock(monotonic, startAt)
  const observer = scriptedObserver()
  const outbox = await Outbox.open(options)
  onTestFinished(() => outbox.close().catch(() => undefined))
  const logged: { level: string; message: string; fields: object }[] = []
  const log: SenderDeps['log'] = (level, message, fields = {}) => void logged.push({ level, message, fields })
  const requests: number[] = []
  const sender: Sender = new Sender(
    {
      url: 'http://server',
      readToken,
      monotonic,
      random: () => 0.5,
      fetch: (...call) => {
        requests.push(elapsed)
        return fetch(...call)
      },
      log,
      onAnswer: (answer) => {
        clock.receiveServerTime(Date.parse(answer.server_time) / 1000)
        reporter.setInterval(answer.directives.interval_seconds)
        if (answer.directives.sync_requested) reporter.requestSnapshot()
      },
    },
    outbox,
  )
  const reporter = new Reporter({
    observer,
    outbox,
    clock,
    clusterUid: CLUSTER_UID,
    agent: () => observer.facts(),
    newEpochId: () => `${directory.slice(-6)}-${startAt - START}-${(epochs += 1)}`,
    isConnected: () => sender.connection.kind === 'connected',
    onAppended: () => undefined,
    log,
  })

  /** Advances the time and does all due work. */
  async function pass(seconds: number): Promise<void> {
    const end = elapsed + seconds
    for (;;) {
      const tickIn = await reporter.tick()
      let stepIn = 0
      while (stepIn === 0) stepIn = await sender.step()
      const next = elapsed + Math.min(tickIn, stepIn)
      if (next > end) break
      elapsed = next
    }
    elapsed = end
  }

  const advance = (seconds: number) => void (elapsed += seconds)

  return { advance, clock, observer, outbox, sender, reporter, requests, logged, pass, now: () => clock.now() }
}
