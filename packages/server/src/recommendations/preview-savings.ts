import type { Preview } from '@plimsoll/contract'
import { count, groupBy, roundToNumber } from '@plimsoll/engine'
import { planCluster } from '@plimsoll/engine/plan'
import { findRule, listProposals } from '@plimsoll/engine/rules'
import { stuckPods } from '@plimsoll/pipeline/facts'
import { loadPacked } from './analysis/load-packed.ts'
import { loadSnapshot } from './analysis/load-snapshot.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { countOpen, listByIds, type RecommendationRow } from './queries/recommendations.ts'
import type { Deps } from '../platform/deps.ts'
import type { PreviewRequest } from '../platform/background.ts'
import { blockersOf, blockersShown, nodesOf, planItems, proposingOf } from '@plimsoll/pipeline/advice'
import { loadPreviousPlan } from './queries/plans.ts'

/** Each is a scheduler run, and a user waits for all of them. */
const clustersMax = 20

export type PreviewDeps = Pick<Deps, 'db' | 'now' | 'prices'>

type Banked = Pick<Preview, 'nodes_freed' | 'blockers'> & { usd: number }

/**
 * Estimated savings add up, as in the totals of the list. Bankable savings come from a scheduler run with exactly these
 * recommendations, and are credited as in an analysis. For all open recommendations they equal the sum in the list,
 * unless the cluster has changed since.
 */
export function previewSavings(deps: PreviewDeps, { ids, namespaces }: PreviewRequest): Promise<Preview> {
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
      // Each recommendation has its share of the step it is in, and the shares add up.
      unattributed_savings: isKnown && seesAll ? 0 : null,
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
    return `The list shows shares of plan steps. This preview applies only the selected recommendations. ${count(others, 'other open recommendation')} ${others === 1 ? 'is' : 'are'} not selected, so fewer nodes may be removed.`
  return seesAll
    ? 'The cluster has changed since the last analysis. The next analysis updates the list (within one hour).'
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
  const plan = await loadPreviousPlan(tx, clusterId)
  const packed = snapshot && (await loadPacked(deps, tx, clusterId, { snapshot, ...plan }))
  if (!packed) return undefined
  const stuck = stuckPods(snapshot)
  const proposing = rows.map((row) => proposingOf(row, stuck))
  const proposals = listProposals(proposing, packed.cluster.pods)
  const lifted = rows.filter(liftsBlocker).map(({ content }) => content.target.name)
  const items = planItems(proposing, packed.cluster.pods, () => '')
  const { previous } = plan
  const chosen = planCluster(packed.packing, { items, previous, runRateUsdPerMonth: null, newId: () => '' })
  const nodes = chosen.steps.flatMap((step) => step.nodes)
  const removed = new Set(nodes.map(({ name }) => name))
  const { kept, byHand } = packed.packing.joint(proposals, lifted)
  return {
    usd: roundToNumber(chosen.usdPerMonth),
    nodes_freed: nodes.map(({ name, usdPerMonth }) => ({
      cluster_id: clusterId,
      node: name,
      savings: roundToNumber(usdPerMonth),
    })),
    blockers: blockersOf(
      {
        kept: kept.filter(({ node }) => !removed.has(node)),
        byHand: byHand.filter(({ node }) => !removed.has(node)),
      },
      {
        concerned: new Set([...nodesOf(proposals, packed.cluster.pods), ...namedNodes(rows)]),
        lifted: new Set(lifted),
      },
    ),
  }
}

const liftsBlocker = ({ rule_id }: RecommendationRow) => findRule(rule_id)?.liftsBlockers === true

/** Nodes that recommendations name. */
const namedNodes = (rows: readonly RecommendationRow[]) =>
  new Set(rows.flatMap(({ content: { target } }) => (target.kind === 'Node' ? [target.name] : [])))

const sum = <Item>(items: readonly Item[], usdOf: (item: Item) => number) =>
  items.reduce((total, item) => total + usdOf(item), 0)

const round = (usd: number) => Number(usd.toFixed(6))
