import type { AgentFacts } from '@plimsoll/contract'
import type { Living, MinuteFacts } from '../facts.ts'

/** Looks at one cluster and says what there is, what happened and what was used. */
export type Observer = {
  /** Resolves when every kind that may be read has been listed once. */
  readonly synced: Promise<void>
  facts(): AgentFacts
  /** What is not as it should be, and what is merely absent. */
  conditions(): readonly Condition[]
  /** Which cluster this is: the uid of its namespace kube-system. */
  clusterUid(): Promise<string>
  /** Everything that lives now; `at` is in seconds since 1970 and no version is from more than half a minute later. */
  living(at: number): Living
  /** What happened since the last call, and what was used in this minute, which is over. It is told once. */
  takeMinute(minute: number): MinuteFacts
  freshness(): readonly Freshness[]
  stop(): Promise<void>
}

export type Condition = {
  /** What it is about: a kind of object, such as `pods`, or `usage`. */
  readonly kind: string
  readonly status: 'ok' | 'absent' | 'forbidden' | 'failing'
  /** One word, for programs. */
  readonly reason: string
  readonly message: string
  /** What others said of it, in which names and addresses may be. */
  readonly detail?: string
}

/** When a kind was last heard of, in milliseconds since 1970; 0: never. */
export type Freshness = { readonly kind: string; readonly lastEventAt: number; readonly synced: boolean }
