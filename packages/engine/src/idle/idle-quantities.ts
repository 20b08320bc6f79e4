import type { NodeRates } from '../pricing/rate.ts'
import type { Resource } from '../units.ts'

type NodeUseQuantities = {
  readonly capacity: bigint
  readonly alloc: bigint
  readonly used: bigint
  readonly unmeasured: bigint
  readonly systemReserved: bigint
}

export type NamespaceUseQuantities = {
  readonly alloc: bigint
  readonly used: bigint
  readonly unmeasured: bigint
  readonly seconds: bigint
  readonly knownSeconds: bigint
}

/** Unit-seconds of a node under one set of rates. */
export type NodeQuantities = {
  readonly node: string
  readonly rates: NodeRates
  readonly use: Readonly<Record<Resource, NodeUseQuantities>>
}

/** The same unit-seconds by namespace: its allocation on nodes of one set of rates. */
export type NamespaceQuantities = {
  readonly namespace: string
  readonly rates: NodeRates
  readonly use: Readonly<Record<Resource, NamespaceUseQuantities>>
}
