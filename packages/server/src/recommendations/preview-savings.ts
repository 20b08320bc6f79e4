import type { Preview } from '@plimsoll/contract'
import { groupBy, listProposals, roundToNumber, type JointOutcome } from '@plimsoll/engine'
import { packPicture } from '../analysis/analyse-picture.ts'
import { loadHistory } from '../analysis/history.ts'
import { loadPicture, loadPricing } from '../analysis/load-picture.ts'
import type { Packed } from '../analysis/node-facts.ts'
import { readAtOnce } from '../db/cover.ts'
import type { Db } from '../db/database.ts'
import { loadClassRates } from '../db/node-classes.ts'
import { listByIds, type RecommendationRow } from '../db/recommendations.ts'
import type { Deps } from '../deps.ts'
import type { PreviewAsked } from '../jobs/analysing.ts'
import { blockersOf, nodesOf } from './blockers-of.ts'

/** Each is a run of the scheduler, and somebody waits for all of them. */
const clustersMax = 20

export type PreviewDeps = Pick<Deps, 'db' | 'now' | 'prices'>

type Banked = Pick<Preview, 'nodes_freed' | 'blockers'> & { usd: number }

/**
 * What is estimated adds up, as in the totals of the list: rules count what others about the same thing leave. What can be
 * banked is found by running the scheduler again with all of them.
 */
export function previewSavings(deps: PreviewDeps, { ids, showsNodes }: PreviewAsked): Promise<Preview> {
  return readAtOnce(deps.db, async (tx) => {
    const rows = await listByIds(tx, ids)
    const banked: (Banked | undefined)[] = []
    const clusters = [...groupBy(rows, (row) => row.cluster_id)]
    for (const [clusterId, own] of clusters.slice(0, clustersMax))
      banked.push(await bankCluster(deps, tx, clusterId, own))
    const known = banked.flatMap((each) => each ?? [])
    return {
      currency: 'USD',
      estimated_savings: round(sum(rows, (row) => Number(row.estimated_savings))),
      bankable_savings: known.length < clusters.length ? null : round(sum(known, ({ usd }) => usd)),
      nodes_freed: showsNodes ? known.flatMap((each) => each.nodes_freed) : [],
      blockers: showsNodes ? known.flatMap(({ blockers }) => blockers) : [],
      recommendations: rows.length,
    }
  })
}

/** Undefined where nobody knows where pods fit. */
async function bankCluster(
  deps: PreviewDeps,
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
    usd: roundToNumber(joint.usdPerMonth) + sum(others, (row) => Number(row.bankable_savings ?? 0)),
    nodes_freed: freedNodes(clusterId, packed, joint, others),
    blockers: blockersOf(joint, new Set([...nodesOf(proposals, packed.cluster.pods), ...namedNodes(others)])),
  }
}

async function loadPacked(deps: PreviewDeps, tx: Db, clusterId: string): Promise<Packed | undefined> {
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

/** Nodes that advice is about. */
const namedNodes = (rows: readonly RecommendationRow[]) =>
  new Set(rows.flatMap(({ content: { target } }) => (target.kind === 'Node' ? [target.name] : [])))

/** Those that go because of what is proposed, and those that are proposed to go. */
function freedNodes(
  clusterId: string,
  { packing }: Packed,
  joint: JointOutcome,
  others: readonly RecommendationRow[],
): Preview['nodes_freed'] {
  const named = namedNodes(others)
  const anyway = packing.present.freed.filter(({ node }) => named.has(node))
  return [...joint.freed, ...anyway].map(({ node, usdPerMonth }) => ({
    cluster_id: clusterId,
    node,
    savings: roundToNumber(usdPerMonth),
  }))
}

const sum = <Item>(items: readonly Item[], usdOf: (item: Item) => number) =>
  items.reduce((total, item) => total + usdOf(item), 0)

const round = (usd: number) => Number(usd.toFixed(6))
