import type { Decimal } from '@plimsoll/engine'
import {
  clusterWaterfall,
  idleEffects,
  type Comparison,
  type EffectSums,
  type Pair,
  type Waterfall,
} from '@plimsoll/engine/changes'
import type { ClusterName } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ShownCover } from '../shown-cover.ts'
import { addCloudResources } from './add-cloud-resources.ts'
import { addWorkloads } from './add-workloads.ts'
import { loadCapacity, type ClusterCapacity } from './capacity.ts'
import { compareCluster, hasData, type ClusterComparison, type ComparisonInput } from './cluster-comparison.ts'
import { loadNodeChanges, type NodeChange } from './load-node-changes.ts'
import { loadStepCredits, type StepCredits } from './step-credits.ts'

/** The change of the whole bill of a cluster. */
export type ClusterBill = {
  clusterId: string
  usd: Pair<Decimal>
  /** The time with data. */
  seconds: Pair<number>
  comparison: Comparison
  parts: Waterfall
  /** Effects of the node prices, by class. */
  capacity: EffectSums
  nodes: NodeChange[]
  credits: StepCredits
}

export type ClusterChanges = {
  named: ClusterName
  covers: Pair<ShownCover>
  /** Null: not requested, or no data. */
  bill: ClusterBill | null
}

/** Adds the costs of a cluster to the lines. */
export async function loadClusterChanges(tx: Db, named: ClusterName, input: ComparisonInput): Promise<ClusterChanges> {
  const cluster = await compareCluster(tx, named, input)
  const { covers, options } = cluster
  if (!hasData(cluster)) return { named, covers, bill: null }
  const ofWorkloads = await addWorkloads(cluster)
  const cloudResources = await addCloudResources(cluster)
  if (!options.unowned.has('idle')) return { named, covers, bill: null }
  const capacity = await loadCapacity(cluster)
  addIdle(cluster, capacity, ofWorkloads)
  if (!options.hasWaterfall) return { named, covers, bill: null }
  const nodes = await loadNodeChanges(cluster, capacity)
  const { comparison, seconds } = cluster
  const usd = {
    before: capacity.totals.usd.before + cloudResources.usd.before,
    now: capacity.totals.usd.now + cloudResources.usd.now,
  }
  const parts = clusterWaterfall({
    comparison,
    capacity: capacity.effects,
    cloudResources: cloudResources.effects,
    nodes,
  })
  const credits = await loadStepCredits(cluster, nodes)
  const bill = { clusterId: named.id, usd, seconds, comparison, parts, capacity: capacity.effects, nodes, credits }
  return { named, covers, bill }
}

function addIdle({ lines, naming }: ClusterComparison, capacity: ClusterCapacity, ofWorkloads: EffectSums): void {
  const { idleUsd, unpriced } = capacity
  const effects = idleEffects(capacity.effects, ofWorkloads, idleUsd.now - idleUsd.before)
  lines.add(naming.groupOfUnowned('idle'), { ...idleUsd, effects, unpriced, facts: null })
}
