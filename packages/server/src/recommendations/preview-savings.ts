import type { Preview } from '@plimsoll/contract'
import { count, groupBy, roundToNumber } from '@plimsoll/engine'
import type { JointOutcome } from '@plimsoll/engine/packing'
import { costsOf, creditShares, findRule, listProposals } from '@plimsoll/engine/rules'
import { type Packed, packSnapshot, stuckPods } from '@plimsoll/pipeline/facts'
import { loadHistory } from './analysis/load-history.ts'
import { loadPricing, loadSnapshot } from './analysis/load-snapshot.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { loadClassRates } from '../prices/index.ts'
import { listPolicies } from '../settings/index.ts'
import { countOpen, listByIds, type RecommendationRow } from './queries/recommendations.ts'
import type { Deps } from '../platform/deps.ts'
import type { FoldState } from '@plimsoll/pipeline/fold'
import type { PreviewAsked } from '../platform/background.ts'
import { blockersOf, blockersShown, nodesOf, openKey, policiesOf, proposingOf } from '@plimsoll/pipeline/advice'

/** Each is a scheduler run, and a user waits for all of them. */
const clustersMax = 20

export type PreviewDeps = Pick<Deps, 'db' | 'now' | 'prices'>

type Banked = Pick<Preview, 'nodes_freed' | 'blockers'> & { usd: number; unattributedUsd: number }

/**
 * Estimated savings add up, as in the totals of the list. Bankable savings come from a scheduler run with exactly these
 * recommendations, and are credited as in an analysis. For all open recommendations they equal the sum in the list,
 * unless the cluster has changed since.
 */
export function previewSavings(deps: PreviewDeps, { ids, namespaces }: PreviewAsked): Promise<Preview> {
  return readAtOnce(deps.db, async (tx) => {
    const rows = await listByIds(tx, ids)
    const banked: (Banked | undefined)[] = []
    const clusters = [...groupBy(rows, (row) => row.cluster_id)]
    for (const [clusterId, own] of clusters.slice(0, clustersMax))
      banked.push(await bankCluster(deps, tx, clusterId, own))
    const known = banked.flatMap((each) => each ?? [])
    const isKnown = known.length === clusters.length
    const bankable = isKnown ? round(sum(known, ({ usd }) => usd)) : null
    const shares = round(sum(rows, (row) => Number(row.bankable_savings ?? 0)))
    const clusterIds = clusters.map(([clusterId]) => clusterId)
    const countOthers = async () => (await countOpen(tx, clusterIds, namespaces)) - rows.filter(isOpen).length
    const isSame = bankable === null || isSameMoney(bankable, shares)
    const seesAll = namespaces === null
    return {
      currency: 'USD',
      estimated_savings: round(sum(rows, (row) => Number(row.estimated_savings))),
      bankable_savings: bankable,
      unattributed_savings: isKnown && seesAll ? round(sum(known, (each) => each.unattributedUsd)) : null,
      share_savings: shares,
      shares_differ_because: isSame ? null : whyOther(await countOthers(), seesAll),
      nodes_freed: seesAll ? known.flatMap((each) => each.nodes_freed) : [],
      blockers: seesAll ? known.flatMap(({ blockers }) => blockers).slice(0, blockersShown) : [],
      recommendations: rows.length,
    }
  })
}

const isOpen = ({ status }: RecommendationRow) => status === 'pending' || status === 'approved'

/** Each amount is rounded to millionths before the sum. */
const isSameMoney = (a: number, b: number) => Math.abs(a - b) < 0.01

/** Null: the answer must not reveal recommendations that the caller may not see. */
function whyOther(others: number, seesAll: boolean): string | null {
  if (others > 0)
    return `The list shows shares if all open recommendations are applied; ${count(others, 'other')} ${others === 1 ? 'is' : 'are'} not selected here. This preview applies only the selected ones, and only whole nodes can be removed.`
  return seesAll
    ? 'The cluster has changed since the last analysis. The next analysis updates the list within an hour.'
    : null
}

/** Undefined if the placement constraints of pods are unknown. */
async function bankCluster(
  deps: PreviewDeps,
  tx: Db,
  clusterId: string,
  rows: readonly RecommendationRow[],
): Promise<Banked | undefined> {
  const snapshot = await loadSnapshot(deps, tx, clusterId)
  const packed = snapshot && (await pack(deps, tx, clusterId, snapshot))
  if (!packed) return undefined
  const stuck = stuckPods(snapshot)
  const proposing = rows.map((row) => proposingOf(row, stuck))
  const proposals = listProposals(proposing, packed.cluster.pods)
  const proposed = new Set(proposals.map(({ id }) => id))
  const lifted = rows.filter(liftsBlocker).map(({ content }) => content.target.name)
  const others = rows.filter((row) => !liftsBlocker(row) && !proposed.has(openKey(row.rule_id, row.target_key)))
  const joint = packed.packing.joint(proposals, lifted)
  const removed = new Set(others.flatMap(({ content }) => content.removesNodes ?? []))
  const { usdPerMonth: credits, unattributedUsdPerMonth } = creditShares(joint.shares, costsOf(proposing))
  return {
    usd:
      sum([...credits.values()], (usd) => usd) +
      sum(joint.lifted, ({ usdPerMonth }) => roundToNumber(usdPerMonth)) +
      sum(others, (row) => Number(row.bankable_savings ?? 0)),
    unattributedUsd: unattributedUsdPerMonth,
    nodes_freed: freedNodes(clusterId, packed, joint, { named: namedNodes(others), removed }),
    blockers: blockersOf(
      { ...joint, byHand: joint.byHand.filter(({ node }) => !removed.has(node)) },
      {
        concerned: new Set([...nodesOf(proposals, packed.cluster.pods), ...namedNodes(others)]),
        lifted: new Set(lifted),
      },
    ),
  }
}

const liftsBlocker = ({ rule_id }: RecommendationRow) => findRule(rule_id)?.liftsBlockers === true

async function pack(deps: PreviewDeps, tx: Db, clusterId: string, snapshot: FoldState): Promise<Packed | undefined> {
  return packSnapshot(snapshot, {
    rates: await loadClassRates(tx, clusterId),
    pricing: await loadPricing(deps, tx, clusterId),
    history: await loadHistory(tx, clusterId, snapshot, deps.now()),
    policies: policiesOf(await listPolicies(tx, clusterId)),
  })
}

/** Nodes that recommendations name. */
const namedNodes = (rows: readonly RecommendationRow[]) =>
  new Set(rows.flatMap(({ content: { target } }) => (target.kind === 'Node' ? [target.name] : [])))

type NodesByHand = { named: ReadonlySet<string>; removed: ReadonlySet<string> }

/** Nodes that the proposals free, and nodes proposed for manual removal, which no autoscaler frees. */
function freedNodes(
  clusterId: string,
  { packing }: Packed,
  joint: JointOutcome,
  { named, removed }: NodesByHand,
): Preview['nodes_freed'] {
  const anyway = packing.present.freed.filter(({ node }) => named.has(node))
  const byHand = packing.present.byHand.filter(({ node }) => removed.has(node))
  return [...joint.freed, ...joint.lifted, ...anyway, ...byHand].map(({ node, usdPerMonth }) => ({
    cluster_id: clusterId,
    node,
    savings: roundToNumber(usdPerMonth),
  }))
}

const sum = <Item>(items: readonly Item[], usdOf: (item: Item) => number) =>
  items.reduce((total, item) => total + usdOf(item), 0)

const round = (usd: number) => Number(usd.toFixed(6))
