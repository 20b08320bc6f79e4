import type { TimeSpan } from '../time.ts'
import type { Resource } from '../units.ts'
import type { PodRequest } from './pod-request.ts'

/** Average use over a time, in base units; a resource that nobody measured is unknown, which is not 0. */
export type Usage = Readonly<Record<Resource, number | 'unknown'>>

export const UNKNOWN_USAGE: Usage = { cpu: 'unknown', memory: 'unknown', gpu: 'unknown' }

/** A time in which nothing about a pod changes. */
export type PodSpan = TimeSpan & {
  readonly uid: string
  readonly request: PodRequest
  /** By container name; absent is unknown. */
  readonly usage: ReadonlyMap<string, Usage>
}
