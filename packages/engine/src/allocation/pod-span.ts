import type { TimeSpan } from '../time.ts'
import type { Resource } from '../units.ts'
import type { PodRequest } from './pod-request.ts'

/** Average usage over a time, in base units. An unmeasured resource is unknown, not 0. */
export type Usage = Readonly<Record<Resource, number | 'unknown'>>

export const UNKNOWN_USAGE: Usage = { cpu: 'unknown', memory: 'unknown', gpu: 'unknown' }

/** A time in which a pod does not change. */
export type PodSpan = TimeSpan & {
  readonly uid: string
  readonly request: PodRequest
  /** By container name; absent is unknown. */
  readonly usage: ReadonlyMap<string, Usage>
}
