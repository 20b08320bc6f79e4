import type { Decimal } from '../decimal.ts'
import type { Unowned } from '../allocation/index.ts'
import type { FocusMeter } from './meters.ts'

/** The parts that all rows of one cluster in one period share. */
export type FocusScope = {
  readonly installation: { readonly id: string; readonly name: string }
  readonly cluster: { readonly id: string; readonly name: string }
  /** The title of the cloud provider. */
  readonly provider: string
  readonly from: Date
  readonly to: Date
}

/** USD for one base unit and second. */
export type FocusPrice = { readonly list: Decimal; readonly contracted: Decimal }

/** Whose cost is divided: a node, a class of nodes, a cloud resource or a class of them. */
export type FocusOrigin = {
  readonly id: string
  readonly name: string
  readonly type: string
  /** Null: unknown. */
  readonly region: string | null
  readonly isSpot: boolean
  readonly skuId: string
  readonly skuPriceId: string
}

/** One meter of an origin, with its price. */
export type FocusCharge = {
  readonly scope: FocusScope
  readonly origin: FocusOrigin
  readonly meter: FocusMeter
  readonly price: FocusPrice
}

export type FocusOwner = {
  /** `workload`, or the reason why the cost has no owner. */
  readonly costClass: 'workload' | Unowned
  readonly namespace: string | null
  readonly kind: string | null
  readonly name: string | null
  readonly pod: string | null
  /** Null at the levels that do not know the node. */
  readonly node: string | null
  /** A JSON object. */
  readonly tags: string
}

/** The part of an origin that one owner has, in base units times seconds. */
export type FocusShare = {
  readonly owner: FocusOwner
  readonly quantity: bigint
  /** Undefined: not requested or measured in this way. */
  readonly requested?: bigint
  readonly used?: bigint
}

export type FocusRow = {
  readonly charge: FocusCharge
  readonly owner: FocusOwner
  /** In the unit of the meter. */
  readonly quantity: number
  readonly requested: number | null
  readonly used: number | null
  readonly listCost: Decimal
  readonly contractedCost: Decimal
  readonly effectiveCost: Decimal
  readonly billedCost: Decimal
  /** The share of the origin, in units of 1e-12. The shares of an origin add up to exactly 1. */
  readonly ratio: bigint
}
