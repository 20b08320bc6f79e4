import {
  addEffects,
  addPriced,
  cloudResourceEffects,
  NOTHING,
  splitByGroup,
  type CloudResourceChange,
  type EffectSums,
  type Pair,
  type Priced,
} from '@plimsoll/engine/changes'
import { groupBy, type Decimal } from '@plimsoll/engine'
import type { Owner } from '@plimsoll/engine/allocation'
import { usdFor } from '@plimsoll/engine/pricing'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import { isSelected } from '../cost-filter.ts'
import { streamCloudResources, type CloudResourceChangeRow } from '../queries/changes.ts'
import { namespacesToRead, type ClusterComparison } from './cluster-comparison.ts'
import { consecutive } from './consecutive.ts'

const parts: Record<CloudResourceKind, CloudResourceChange['part']> = {
  volume: 'storage',
  balancer: 'load_balancer',
  control_plane: 'overhead',
}

export type CloudResourceSums = { effects: EffectSums; usd: Pair<Decimal> }

/** Adds volumes, load balancers and fees to the lines, and returns their sums over the cluster. */
export async function addCloudResources(cluster: ClusterComparison): Promise<CloudResourceSums> {
  const { tx, covers, options, naming, rates, signal } = cluster
  const sums = { effects: new Map() as EffectSums, usd: { before: 0n, now: 0n } }
  const selection = { labelKeys: naming.labelKeys, namespaces: namespacesToRead(options) }
  for await (const all of consecutive(streamCloudResources(tx, covers, selection), isSameOwner)) {
    signal?.throwIfAborted()
    await rates.load(all)
    const rows = all.filter((row) => isSelected(ownerOf(cluster, row), options))
    const byClass = groupBy(rows, ({ resource, rateId }) => `${resource} ${rates.get(rateId).classKey}`)
    for (const own of byClass.values()) addClass(cluster, own, sums)
  }
  return sums
}

const isSameOwner = (a: CloudResourceChangeRow, b: CloudResourceChangeRow) =>
  a.owner === b.owner && a.name === b.name && a.kind === b.kind && a.namespace === b.namespace

const ownerOf = ({ naming }: ClusterComparison, row: CloudResourceChangeRow): Owner =>
  row.owner === 'workload' ? naming.ownerOf(row) : { kind: row.owner }

/** The resources of one owner and one class. */
function addClass(cluster: ClusterComparison, rows: readonly CloudResourceChangeRow[], sums: CloudResourceSums): void {
  const [first] = rows
  if (!first) return
  const { comparison, naming, rates, lines } = cluster
  const units = unitsOf(cluster, rows)
  const part = parts[first.resource]
  const effects = cloudResourceEffects({ part, classKey: rates.get(first.rateId).classKey, units }, comparison)
  const groups = [...groupBy(rows, (row) => naming.groupOf(ownerOf(cluster, row)))].map(([group, own]) => {
    const { before, now } = unitsOf(cluster, own)
    return { group, before: before.usd, now: now.usd }
  })
  const unpriced = rows.some((row) => isUnpriced(cluster, row))
  for (const { group, ...cost } of splitByGroup(effects, groups, part)) {
    lines.add(group, { ...cost, unpriced, facts: null })
  }
  addEffects(sums.effects, effects)
  sums.usd = { before: sums.usd.before + units.before.usd, now: sums.usd.now + units.now.usd }
}

function unitsOf({ rates }: ClusterComparison, rows: readonly CloudResourceChangeRow[]): Pair<Priced> {
  const sumOf = (side: 'before' | 'now') =>
    rows.reduce((sum, row) => {
      const quantity = BigInt(row[`${side}_unit_seconds`])
      return addPriced(sum, { quantity, usd: usdFor(quantity, rates.get(row.rateId).cloudResource) })
    }, NOTHING)
  return { before: sumOf('before'), now: sumOf('now') }
}

const isUnpriced = ({ rates }: ClusterComparison, row: CloudResourceChangeRow) =>
  rates.get(row.rateId).cloudResource.kind === 'unpriced' &&
  (row.before_unit_seconds !== '0' || row.now_unit_seconds !== '0')
