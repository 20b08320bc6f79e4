import type { Decimal } from '../decimal.ts'

/** The life of a node, in seconds since 1970. A name may have several lives. */
export type NodeLife = {
  readonly uid: string
  readonly name: string
  readonly pool: string
  readonly startedAt: number
  /** Null: the node runs. */
  readonly endedAt: number | null
  /** The measured price of the node; null: no price is known. */
  readonly usdPerMonth: Decimal | null
}
