import type { AgentFacts } from '@plimsoll/contract'
import type { Condition } from '../observer.ts'
import type { UsageSink, UsageSource } from './usage-source.ts'

export type SamplerOptions = {
  /** The best source that responds, or the reason why there is none. */
  choose: (signal: AbortSignal) => Promise<UsageSource | { why: string }>
  sink: UsageSink
  everySeconds: () => number
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
  now: () => number
}

/** After this many consecutive failures another source is selected. */
const failuresMax = 4
/** A source that just started has no data for some seconds; an absent source stays absent. */
const chooseAgainSeconds = { first: 15, max: 300 }
const sampleSecondsMax = 60

/** Samples usage continuously with the best available source. */
export class Sampler {
  readonly #options: SamplerOptions
  #source: UsageSource | undefined
  #condition: Condition = condition('absent', 'NotChosenYet', 'The agent has not checked the usage sources yet.')

  constructor(options: SamplerOptions) {
    this.#options = options
  }

  get source(): AgentFacts['usage_source'] {
    return this.#source?.name ?? 'none'
  }

  /** Undefined: no source responds. */
  get chosen(): UsageSource | undefined {
    return this.#source
  }

  get condition(): Condition {
    return this.#condition
  }

  async run(signal: AbortSignal): Promise<void> {
    const { choose, sleep } = this.#options
    let pause = chooseAgainSeconds.first
    while (!signal.aborted) {
      const chosen = await choose(signal).catch((error: unknown) => ({ why: messageOf(error) }))
      if (signal.aborted) return
      if ('why' in chosen) {
        this.#source = undefined
        this.#condition = condition('absent', 'NoSource', 'The cluster has no usage source.', chosen.why)
        await sleep(pause, signal)
        pause = Math.min(2 * pause, chooseAgainSeconds.max)
      } else {
        pause = chooseAgainSeconds.first
        await this.#sampleWith(chosen, signal)
      }
    }
  }

  /** Samples until the source fails too often. */
  async #sampleWith(source: UsageSource, signal: AbortSignal): Promise<void> {
    const { sink, sleep, now, everySeconds } = this.#options
    let failures = 0
    this.#source = source
    while (!signal.aborted && failures < failuresMax) {
      const startedAt = now()
      try {
        await source.sample(sink, AbortSignal.any([signal, AbortSignal.timeout(sampleSecondsMax * 1000)]))
        failures = 0
        this.#condition = condition('ok', reasons[source.name], `Usage comes from ${source.name}.`)
      } catch (error) {
        failures += 1
        this.#condition = condition(
          'failing',
          'SampleFailed',
          `${source.name} returns no container usage.`,
          messageOf(error),
        )
      }
      await sleep(Math.max(1, everySeconds() - (now() - startedAt) / 1000), signal)
    }
  }
}

const reasons = { kubelet: 'Kubelet', 'metrics-server': 'MetricsServer', prometheus: 'Prometheus' }

const condition = (status: Condition['status'], reason: string, message: string, detail?: string): Condition => ({
  kind: 'usage',
  status,
  reason,
  message,
  ...(detail === undefined ? {} : { detail }),
})

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown reason')
