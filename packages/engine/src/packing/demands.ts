import { staysTogether, type Company } from './pod-affinity.ts'
import { staysApart } from './pod-anti-affinity.ts'
import type { NodeClasses } from './node-classes.ts'
import { staysEven, type SpreadRule } from './topology-spread.ts'
import type { Tally } from './tally.ts'
import type { Topology } from './topology.ts'

/** A demand of a pod on running pods, which depends on the current placement. */
export type Demand =
  | { readonly filter: 'pod-anti-affinity'; readonly tally: Tally; readonly topology: Topology }
  | {
      readonly filter: 'pod-affinity'
      readonly company: Company
      readonly term: number
      readonly isOneItself: boolean
      readonly topology: Topology
    }
  | { readonly filter: 'topology-spread'; readonly rule: SpreadRule; readonly topology: Topology }

/** The current nodes, and a stamp that changes with them. */
export type Moment = {
  readonly classes: NodeClasses
  readonly live: Int32Array
  readonly gone: Uint8Array
  stamp: number
}

export function isMet(demand: Demand, moment: Moment, node: number): boolean {
  switch (demand.filter) {
    case 'pod-anti-affinity':
      return staysApart(demand.tally, demand.topology, node)
    case 'pod-affinity':
      return staysTogether(demand.company, demand.term, demand, node)
    case 'topology-spread':
      return staysEven(demand.rule, moment, node)
  }
}
