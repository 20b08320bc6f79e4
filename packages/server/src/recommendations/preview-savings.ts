import type { Preview } from '@plimsoll/contract'
import { describeBlocker, listProposals, roundToNumber, type JointOutcome } from '@plimsoll/engine'
import { packPicture } from '../analysis/analyse-picture.ts'
import { loadHistory } from '../analysis/history.ts'
import { loadPicture, loadPricing } from '../analysis/load-picture.ts'
import type { Packed } from '../analysis/node-facts.ts'
import { findLiveCounts } from '../db/cluster-figures.ts'
import type { Db } from '../db/database.ts'
import { loadClassRates } from '../db/node-classes.ts'
import type { RecommendationRow } from '../db/recommendations.ts'
import type { Deps } from '../deps.ts'

const blockersShown = 20

/** Above, running the scheduler again takes longer than somebody should wait, and than others should wait for this process. */
const podsMax = 20_000

/** And so it does for many clusters. */
const clustersMax = 5

type Banked = Pick<Preview, 'nodes_freed' | 'blockers'> & { usd: number }

/**
 * Several rules may speak about one target, and what one of them saves another cannot save again: of each target the
 * largest counts. What can be banked is found by running the scheduler again with all of them.
 */
export async function previewSavings(
  deps: Deps,
  tx: Db,
  rows: readonly RecommendationRow[],
  { showsNodes }: { showsNodes: boolean },
): Promise<Preview> {
  const banked: (Banked | undefined)[] = []
  const clusters = [...byCluster(rows)]
  for (const [clusterId, own] of clusters.slice(0, clustersMax))
    banked.push(await bankCluster(deps, tx, clusterId, own))
  const known = banked.flatMap((each) => each ?? [])
  return {
    currency: 'USD',
    estimated_savings: round(sumOfLargest(rows, (row) => Number(row.estimated_savings))),
    bankable_savings: known.length < clusters.length ? null : round(known.reduce((sum, { usd }) => sum + usd, 0)),
    nodes_freed: showsNodes ? known.flatMap((each) => each.nodes_freed) : [],
    blockers: showsNodes ? known.flatMap(({ blockers }) => blockers).slice(0, blockersShown) : [],
    recommendations: rows.length,
  }
}

function byCluster(rows: readonly RecommendationRow[]): Map<string, RecommendationRow[]> {
  const clusters = new Map<string, RecommendationRow[]>()
  for (const row of rows) clusters.set(row.cluster_id, [...(clusters.get(row.cluster_id) ?? []), row])
  return clusters
}

/** Undefined where nobody knows where pods fit, or the cluster is too large to find it out while somebody waits. */
async function bankCluster(
  deps: Deps,
  tx: Db,
  clusterId: string,
  rows: readonly RecommendationRow[],
): Promise<Banked | undefined> {
  const packed = await loadPacked(deps, tx, clusterId)
  if (!packed) return undefined
  const proposals = listProposals(rows.map(proposing), packed.cluster.pods)
  const proposed = new Set(proposals.map(({ id }) => id))
  const others = rows.filter((row) => !proposed.has(`${row.rule_id} ${row.target_key}`))
  const joint = packed.packing.joint(proposals)
  return {
    usd: roundToNumber(joint.usdPerMonth) + sumOfLargest(others, (row) => Number(row.bankable_savings ?? 0)),
    nodes_freed: freedNodes(clusterId, packed, joint, others),
    blockers: blockersOf(joint),
  }
}

async function loadPacked(deps: Deps, tx: Db, clusterId: string): Promise<Packed | undefined> {
  // Before anything is loaded: a large picture alone takes seconds.
  if ((await findLiveCounts(tx, clusterId)).pods > podsMax) return undefined
  const picture = await loadPicture(deps, tx, clusterId)
  if (!picture) return undefined
  return packPicture(picture, {
    rates: await loadClassRates(tx, clusterId),
    pricing: await loadPricing(deps, tx, clusterId),
    history: await loadHistory(tx, clusterId, picture, deps.now()),
  })
}

const proposing = ({ rule_id, content, workload_kind, workload_name, container }: RecommendationRow) => ({
  ruleId: rule_id,
  target: content.target,
  workload:
    workload_kind === null || workload_name === null
      ? null
      : { kind: workload_kind, name: workload_name, container: container ?? '' },
  currentSpec: content.current,
  recommendedSpec: content.recommended,
  ...(content.removesPods === undefined ? {} : { removesPods: content.removesPods }),
})

/** Those that go because of what is proposed, and those that are proposed to go. */
function freedNodes(
  clusterId: string,
  { packing }: Packed,
  joint: JointOutcome,
  others: readonly RecommendationRow[],
): Preview['nodes_freed'] {
  const named = new Set(others.map(({ content }) => (content.target.kind === 'Node' ? content.target.name : '')))
  const anyway = packing.present.freed.filter(({ node }) => named.has(node))
  return [...joint.freed, ...anyway].map(({ node, usdPerMonth }) => ({
    cluster_id: clusterId,
    node,
    savings: roundToNumber(usdPerMonth),
  }))
}

/** Where the rest is stuck: nodes whose pods would fit elsewhere first, then the others, each reason once. */
function blockersOf({ kept, byHand }: JointOutcome): string[] {
  const stuck = [...kept].sort((a, b) => Number(b.podsFitElsewhere) - Number(a.podsFitElsewhere))
  const texts = [
    ...byHand.map(({ node, pool }) => `${node} would be empty, but nobody scales the pool ${pool}.`),
    ...stuck.map(({ node, blocker }) => `${node}: ${describeBlocker(blocker)}`),
  ]
  return [...new Set(texts)].slice(0, blockersShown)
}

function sumOfLargest(rows: readonly RecommendationRow[], usdOf: (row: RecommendationRow) => number): number {
  const byTarget = new Map<string, number>()
  for (const row of rows) {
    const key = `${row.cluster_id} ${row.target_key}`
    byTarget.set(key, Math.max(byTarget.get(key) ?? usdOf(row), usdOf(row)))
  }
  return [...byTarget.values()].reduce((sum, usd) => sum + usd, 0)
}

const round = (usd: number) => Number(usd.toFixed(6))
