import { encodeBatch, type EncodedBatch, type EpochOptions, EpochWriter, type MinuteFacts } from '@plimsoll/agent'
import { objectKinds, type AgentCondition, type Batch } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { mix } from '../random.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { hex } from '../world/names.ts'
import type { World } from '../world/world.ts'

export type AgentOptions = Pick<EpochOptions, 'objectsMax' | 'samplesMax'> & {
  /** The index of the agent log of this world, from 0. */
  readonly log?: number
}

/** Observes a world and returns the batches of each minute: changes, and a full snapshot when it is due. */
export class SimulatedAgent {
  readonly #world: World
  readonly #options: AgentOptions
  #log: number
  #epoch: string
  #writer: EpochWriter
  #seq = 0
  /** The time of the last full snapshot of this log. */
  #fullAt: number | undefined
  #again: (() => EncodedBatch[]) | undefined

  constructor(world: World, options: AgentOptions = {}) {
    this.#world = world
    this.#options = options
    this.#log = options.log ?? 0
    this.#epoch = epochOf(world, this.#log)
    this.#writer = this.#openWriter()
  }

  get world(): World {
    return this.#world
  }

  /** Simulates a lost disk: a new log and epoch with a new snapshot. */
  startEpoch(): void {
    this.#log += 1
    this.#epoch = epochOf(this.#world, this.#log)
    this.#writer = this.#openWriter()
    this.#seq = 0
    this.#fullAt = undefined
  }

  /** The current objects, without waiting for the end of the minute. */
  snapshot(): EncodedBatch[] {
    const { second } = this.#world
    const living = this.#world.living()
    this.#fullAt = second
    return this.#keep(() => this.#encode(this.#writer.snapshot(living, second)))
  }

  /**
   * Advances one minute and returns its batches: one, after a full snapshot at the start, every hour and on request.
   */
  minute({ full = false }: { full?: boolean } = {}): EncodedBatch[] {
    const { second } = this.#world
    const isFull = full || this.#isFullDue()
    const living = isFull ? this.#world.living() : undefined
    if (isFull) this.#fullAt = second
    const facts: MinuteFacts = this.#world.advance()
    return this.#keep(() => {
      const snapshot = living ? this.#encode(this.#writer.snapshot(living, second)) : []
      return [...snapshot, ...this.#encode(this.#writer.minute(facts))]
    })
  }

  /**
   * The last batches again in smaller batches, because the server rejected one. Numbers continue from the rejected
   * batch.
   */
  halved(refused: EncodedBatch): EncodedBatch[] {
    this.#writer.halve()
    this.#seq = Number(refused.headers['plimsoll-seq']) - 1
    return this.#again?.() ?? []
  }

  #isFullDue(): boolean {
    const { second } = this.#world
    const isHourly = second % SECONDS_PER_HOUR === 0 && this.#fullAt !== second
    return isHourly || this.#fullAt === undefined
  }

  #keep(make: () => EncodedBatch[]): EncodedBatch[] {
    this.#again = make
    return make()
  }

  #encode(batches: Iterable<Batch>): EncodedBatch[] {
    const { clusterUid } = this.#world.scenario
    const encoded: EncodedBatch[] = []
    for (const batch of batches) {
      encoded.push(encodeBatch({ batch, epoch: this.#epoch, seq: (this.#seq += 1) }, clusterUid))
    }
    return encoded
  }

  #openWriter(): EpochWriter {
    const { log: _log, ...sizes } = this.#options
    return new EpochWriter({ ...sizes, agent: () => agentFacts(this.#world.scenario), epoch: this.#epoch })
  }
}

export function epochOf({ scenario: { seed, clusterUid }, second }: World, log: number): string {
  return `e${hex(mix(seed, log, clusterUid.length))}${hex(mix(seed + 1, log, second / 60))}`
}

export function agentFacts({ kubernetesVersion, usageSource = 'kubelet' }: Scenario) {
  return {
    version: '0.1.0-simulated',
    kubernetes_version: kubernetesVersion,
    usage_source: usageSource,
    watches: [...objectKinds],
    conditions: [usageCondition(usageSource)],
  }
}

function usageCondition(source: NonNullable<Scenario['usageSource']>): AgentCondition {
  if (source === 'none') {
    return { kind: 'usage', status: 'absent', reason: 'NoSource', message: 'The cluster has no usage source.' }
  }
  return { kind: 'usage', status: 'ok', reason: 'Measured', message: `Usage comes from ${source}.` }
}
