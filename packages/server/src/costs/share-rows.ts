import type { NamespaceSharing, Sharing } from '@plimsoll/contract'
import { nameIn, shareCosts, type CostRow } from '@plimsoll/engine/allocation'
import type { Grouping } from './parse-grouping.ts'
import { unownedKind, type PricedRow, type SharedPart } from './priced-rows.ts'

export type SharingOptions = {
  shareIdle: Sharing
  shareOverhead: Sharing
  shareNamespaces: { names: ReadonlySet<string>; by: NamespaceSharing }
}

export type Levels = {
  grouping: Grouping
  /** Each row of the first dimension contains its rows of the second. */
  isNested: boolean
}

/** Whether costs are shared. */
export const isShared = ({ shareIdle, shareOverhead, shareNamespaces }: SharingOptions) =>
  shareIdle !== 'none' || shareOverhead !== 'none' || shareNamespaces.names.size > 0

/** A nested grouping by its first level: the rows of a chart, of the causes, and the receivers of shared cost. */
export function firstLevelOf<Options extends Levels>(options: Options) {
  if (!options.isNested) return options
  const { side, names, dimensions } = options.grouping
  const grouping = { side, names: names.slice(0, 1), dimensions: dimensions.slice(0, 1) }
  return { ...options, isNested: false, grouping }
}

type SharedGrouping = SharingOptions & Levels & { weights: ReadonlyMap<string, bigint> }

/**
 * Within one cluster: a workload never pays for idle capacity of another cluster. Shared namespaces come first, so that
 * they receive no share. All shares follow the own cost of the rows, so that the order does not matter.
 */
export function shareRows(rows: PricedRow[], options: SharedGrouping): PricedRow[] {
  const { shareIdle, shareOverhead, shareNamespaces, weights } = options
  const receivers = firstLevelOf(options).grouping.dimensions
  const receiverOf = (row: CostRow) =>
    unownedKind(row) === undefined ? JSON.stringify(receivers.map((dimension) => nameIn(row, dimension))) : undefined
  const byReceiver = new Map([...weights].map(([name, weight]) => [JSON.stringify([name]), weight]))
  const hand = (all: PricedRow[], part: SharedPart, isHanded: (row: CostRow) => boolean, sharing: Sharing) => {
    if (sharing === 'none') return all
    const how = sharing === 'weighted' ? { kind: sharing, weights: byReceiver } : { kind: sharing }
    // The engine returns the given rows with further charges.
    const shared = shareCosts(all, isHanded, receiverOf, how) as PricedRow[]
    return shared.map((row) => setAside(row, part))
  }
  const isOfShared = ({ owner }: CostRow) => owner.kind === 'workload' && shareNamespaces.names.has(owner.namespace)
  const others = hand(rows, 'sharedNamespaces', isOfShared, shareNamespaces.by)
  const withIdle = hand(others, 'sharedIdle', (row) => unownedKind(row) === 'idle', shareIdle)
  return hand(withIdle, 'sharedOverhead', (row) => unownedKind(row) === 'overhead', shareOverhead)
}

function setAside(row: PricedRow, part: SharedPart): PricedRow {
  const { shared, ...charges } = row.charges
  return shared ? { ...row, charges, [part]: shared } : row
}
