import type { AgentFacts } from '@plimsoll/contract'
import type { Living, MinuteFacts } from './facts.ts'

/** Observes one cluster: its objects, changes and usage. */
export type Observer = {
  /** Resolves when every readable kind has been listed once. */
  readonly synced: Promise<void>
  facts(): AgentFacts
  /** Errors, and missing optional components. */
  conditions(): readonly Condition[]
  /** The uid of the namespace kube-system. */
  clusterUid(): Promise<string>
  /** All existing objects. `at` is in seconds since 1970; a version may begin at most half a minute later. */
  living(at: number): Living
  /** Changes since the last call, and the usage of this complete minute. Each is returned once. */
  takeMinute(minute: number): MinuteFacts
  freshness(): readonly Freshness[]
  stop(): Promise<void>
}

export type Condition = {
  /** The subject: a kind of object, such as `pods`, or `usage`. */
  readonly kind: string
  readonly status: 'ok' | 'absent' | 'forbidden' | 'failing'
  /** A machine-readable code. */
  readonly reason: string
  readonly message: string
  /** The external message, which may contain names and addresses. */
  readonly detail?: string
}

/** The last event of a kind in milliseconds since 1970; 0: never. */
export type Freshness = { readonly kind: string; readonly lastEventAt: number; readonly synced: boolean }
