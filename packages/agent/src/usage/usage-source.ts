import type { AgentFacts } from '@plimsoll/contract'
import type { Condition } from '../observe/observer.ts'
import type { ContainerName } from './container-name.ts'
import type { ThrottlingSink } from './throttling-counts.ts'

export type UsageSourceName = Exclude<AgentFacts['usage_source'], 'none'>

/** Takes up what containers use. Times are in milliseconds since 1970. */
export type UsageSink = {
  /** What it has used since it was started: the mean between two of them is exact. */
  cpuCounter(container: ContainerName, coreSeconds: number, at: number): void
  /** What it used on average in the seconds before. */
  cpuRate(container: ContainerName, cores: number, windowSeconds: number, at: number): void
  memory(container: ContainerName, kib: number): void
}

/** Which of how many turns it is, from 0; after all of them everybody was asked once. */
export type Turn = { readonly turn: number; readonly turns: number }

/** Somebody who knows what containers use. */
export type UsageSource = {
  readonly name: UsageSourceName
  /** Looks once. Throws when nothing could be seen. */
  sample(sink: UsageSink, signal: AbortSignal): Promise<void>
  /** Looks once at how often containers were throttled; in this turn only at some of those who have to be asked one by one. */
  throttling?(sink: ThrottlingSink, turn: Turn, signal: AbortSignal): Promise<void>
  /** What was not as it should be when it last looked; also of one that is not used because of it. */
  condition?(): Condition | undefined
}
