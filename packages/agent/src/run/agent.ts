import type { AgentCondition, AgentFacts, BatchAccepted } from '@plimsoll/contract'
import type { Observer } from '../observer.ts'
import { History, type HistorySource } from '../send/history.ts'
import { Outbox, type OutboxOptions } from '../send/outbox.ts'
import { Sender, type SenderDeps } from '../send/sender.ts'
import { agentFacts } from './agent-facts.ts'
import { Bell } from './interruptible-sleep.ts'
import { Reporter } from './reporter.ts'
import type { ServerClock } from './server-clock.ts'

export type AgentDeps = Omit<SenderDeps, 'onAnswer'> & {
  readonly observer: Observer
  readonly clock: ServerClock
  readonly outbox: OutboxOptions
  readonly newEpochId: () => string
  /** Seconds per real second; above 1 only for simulated time. */
  readonly speed?: number
  readonly history?: { readonly source: HistorySource; readonly daysBack: number }
}

/** The time limit for sending at shutdown. The rest stays on disk. */
const drainSeconds = 10
const retrySeconds = 5
const retrySecondsMax = 300

/** Observes, shapes and sends until it is stopped. */
export class Agent {
  /** Resolves when the first snapshot is written. An agent that stops earlier has written nothing. */
  readonly begun: Promise<void>
  #begin: () => void = () => undefined
  readonly #deps: AgentDeps
  readonly #bell: Bell
  #outbox: Outbox | undefined
  #sender: Sender | undefined
  #reporter: Reporter | undefined
  /** Consecutive disk failures while sending. */
  #diskFailures = 0

  constructor(deps: AgentDeps) {
    this.#deps = deps
    this.#bell = new Bell(deps.speed)
    this.begun = new Promise((resolve) => (this.#begin = resolve))
  }

  get sender(): Sender | undefined {
    return this.#sender
  }

  get outbox(): Outbox | undefined {
    return this.#outbox
  }

  async run(signal: AbortSignal): Promise<void> {
    const outbox = await Outbox.open(this.#deps.outbox)
    this.#outbox = outbox
    const clusterUid = await this.#findCluster(signal)
    if (clusterUid !== undefined) await this.#report(outbox, clusterUid, signal)
    else await this.#deps.observer.stop()
    await outbox.close()
  }

  /** The conditions of this agent for the server. */
  #conditions(): AgentCondition[] {
    const { dropped = 0, damaged = 0, refused = 0 } = this.#outbox?.losses ?? {}
    const own: AgentCondition[] = []
    if (dropped + damaged + refused > 0) {
      const message = `The agent lost batches of its disk buffer: ${dropped} dropped (buffer full), ${damaged} damaged, ${refused} rejected by the server.`
      own.push({ kind: 'log', status: 'failing', reason: 'lost', message })
    }
    if (this.#reporter?.isFailing) {
      const message = 'The agent cannot write to its disk buffer. It keeps at most one hour of data in memory.'
      own.push({ kind: 'log', status: 'failing', reason: 'unwritable', message })
    }
    return own
  }

  facts(): AgentFacts {
    return agentFacts(this.#deps.observer, this.#conditions())
  }

  async #report(outbox: Outbox, clusterUid: string, signal: AbortSignal): Promise<void> {
    this.#deps.log('info', 'initial list of all resources complete', { cluster_uid: clusterUid, ...outbox.pending() })
    const sender = this.#openSender(outbox, clusterUid)
    const reporter = this.#openReporter(outbox, clusterUid, sender)
    this.#sender = sender
    this.#reporter = reporter
    await reporter.start()
    this.#begin()
    // Sending ends when the cluster was deleted, and then observing ends too.
    const gone = new AbortController()
    const either = AbortSignal.any([signal, gone.signal])
    const deadline = new AbortController()
    const sending = this.#send(sender, either, deadline.signal).finally(() => gone.abort())
    await this.#tick(reporter, either)
    if (!signal.aborted) return this.#idle(signal)
    const timer = setTimeout(() => deadline.abort(), drainSeconds * 1000)
    await reporter.flush()
    await this.#deps.observer.stop()
    await sending
    await this.#drain(sender, outbox, deadline.signal)
    clearTimeout(timer)
  }

  #openSender(outbox: Outbox, clusterUid: string): Sender {
    const { history, clock, newEpochId, log } = this.#deps
    const behind =
      history &&
      new History({
        ...history,
        outbox,
        clusterUid,
        agent: () => this.facts(),
        newEpochId,
        now: () => clock.now(),
        onReady: () => this.#bell.ring(),
        log,
      })
    return new Sender({ ...this.#deps, onAnswer: (answer) => this.#obey(answer) }, outbox, behind)
  }

  #openReporter(outbox: Outbox, clusterUid: string, sender: Sender): Reporter {
    const { observer, clock, newEpochId, log } = this.#deps
    return new Reporter({
      observer,
      outbox,
      clock,
      clusterUid,
      agent: () => this.facts(),
      newEpochId,
      isConnected: () => sender.connection.kind === 'connected',
      onAppended: () => this.#bell.ring(),
      log,
    })
  }

  async #send(sender: Sender, signal: AbortSignal, deadline: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await this.#step(sender, deadline)
      if (sender.connection.kind === 'gone') return
      if (wait > 0) await this.#bell.wait(wait, signal)
    }
  }

  /** A disk failure does not stop the agent, because the disk may recover. */
  async #step(sender: Sender, deadline: AbortSignal): Promise<number> {
    try {
      const wait = await sender.step(deadline)
      this.#diskFailures = 0
      return wait
    } catch (error) {
      this.#diskFailures += 1
      this.#deps.log('error', 'cannot send data from the disk buffer', { detail: String(error) })
      return Math.min(retrySecondsMax, retrySeconds * 2 ** (this.#diskFailures - 1))
    }
  }

  async #tick(reporter: Reporter, signal: AbortSignal): Promise<void> {
    const bell = new Bell(this.#deps.speed)
    while (!signal.aborted) {
      const wait = await reporter.tick()
      await bell.wait(wait, signal)
    }
  }

  /** Sends as long as the server accepts live data. */
  async #drain(sender: Sender, outbox: Outbox, deadline: AbortSignal): Promise<void> {
    while (!deadline.aborted && outbox.pending().live > 0) if ((await this.#step(sender, deadline)) > 0) return
  }

  async #idle(signal: AbortSignal): Promise<void> {
    await this.#deps.observer.stop()
    while (!signal.aborted) await new Bell().wait(Number.POSITIVE_INFINITY, signal)
  }

  /** Undefined: the agent was stopped first. */
  async #findCluster(signal: AbortSignal): Promise<string | undefined> {
    const { observer, log } = this.#deps
    const stopped = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined)
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    await Promise.race([observer.synced, stopped])
    while (!signal.aborted) {
      try {
        return await Promise.race([observer.clusterUid(), stopped])
      } catch (error) {
        log('warn', 'cannot read the cluster UID', { detail: String(error) })
        await new Bell().wait(retrySeconds, signal)
      }
    }
    return undefined
  }

  #obey(answer: BatchAccepted): void {
    this.#deps.clock.receiveServerTime(Date.parse(answer.server_time) / 1000)
    this.#reporter?.setInterval(answer.directives.interval_seconds)
    if (answer.directives.sync_requested) this.#reporter?.requestSnapshot()
  }
}
