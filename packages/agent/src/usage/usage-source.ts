import type { AgentFacts } from '@plimsoll/contract'
import type { Condition } from '../observer.ts'
import type { ContainerName } from './container-name.ts'
import type { ThrottlingSink } from './throttling-counts.ts'

export type UsageSourceName = Exclude<AgentFacts['usage_source'], 'none'>

/** Receives usage of containers. Times are in milliseconds since 1970. */
export type UsageSink = {
  /** Total CPU time since the container started: the mean between two values is exact. */
  cpuCounter(container: ContainerName, coreSeconds: number, at: number): void
  /** The mean over the preceding seconds. */
  cpuRate(container: ContainerName, cores: number, windowSeconds: number, at: number): void
  memory(container: ContainerName, kib: number): void
}

/** The index of the turn, from 0, and the number of turns. All turns together cover every node once. */
export type Turn = { readonly turn: number; readonly turns: number }

/** A source of container usage. */
export type UsageSource = {
  readonly name: UsageSourceName
  /** Samples once. Throws if nothing was readable. */
  sample(sink: UsageSink, signal: AbortSignal): Promise<void>
  /** Reads throttling once. Sources that read each node read only a part of the nodes per turn. */
  throttling?(sink: ThrottlingSink, turn: Turn, signal: AbortSignal): Promise<void>
  /** The problem of the last sample, also for a source that is not used because of it. */
  condition?(): Condition | undefined
}
