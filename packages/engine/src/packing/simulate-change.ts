import type { Decimal } from '../decimal.ts'
import { groupBy } from '../group-by.ts'
import { monthly, packCluster, type ByHandNode, type FreedNode, type Outcome } from './bankable-savings.ts'
import type { PackingCluster, PackingPod } from './cluster.ts'
import { findNode } from './find-node.ts'
import { openNodes } from './open-nodes.ts'
import { inQueue } from './placing.ts'
import { known, lift, makeState, put, type State } from './state.ts'

export type AddedPoolNodes = {
  readonly pool: string
  readonly instanceType: string
  readonly count: number
  /** Of all these nodes. Null: no price is known. */
  readonly usdPerMonth: Decimal | null
  /** False: a user must add the nodes. */
  readonly isAutoscaled: boolean
}

export type ChangeOutcome = {
  readonly added: readonly AddedPoolNodes[]
  /** Nodes that the autoscalers remove because of the change. */
  readonly removed: readonly FreedNode[]
  /** Nodes that Karpenter replaces with a cheaper type because of the change. */
  readonly replaced: Outcome['replaced']
  /** Nodes that a user can remove because of the change. */
  readonly byHand: readonly ByHandNode[]
  readonly unplaced: readonly { readonly workload: string; readonly pods: number }[]
  /** The change of the bill. Null: added nodes without a price, or pods that fit nowhere. */
  readonly usdPerMonth: Decimal | null
  /** Savings by nodes that could go before the change and cannot after it. */
  readonly lostSavingsUsdPerMonth: Decimal
}

/**
 * What autoscalers do after a change of workloads. `present` is the packing of the cluster before it. `after` has the pods after the change: kept pods with their node,
 * added pods without one. Nodes that could go before the change are no result of the change, so an addition that fits
 * on the current nodes changes no bill.
 */
export function simulateChange(
  { cluster: before, present }: { cluster: PackingCluster; present: Outcome },
  after: PackingCluster,
): ChangeOutcome {
  const { cluster, waiting } = settle(before, after)
  if (waiting.length > 0) {
    return describeGrowth(openNodes(cluster, waiting, homes(before, after)), present)
  }
  const freed = present.freed.map(({ node }) => node)
  const { present: later } = packCluster(cluster, freed)
  return describeRest(present, later)
}

function describeGrowth({ opened, unplaced }: ReturnType<typeof openNodes>, present: Outcome): ChangeOutcome {
  const added = opened.map(({ offer: { pool, instanceType, usdPerHour }, count }) => ({
    pool: pool.name,
    instanceType,
    count,
    usdPerMonth: usdPerHour === 'unpriced' ? null : monthly(usdPerHour) * BigInt(count),
    isAutoscaled: pool.kind !== 'unmanaged',
  }))
  const isKnown = unplaced.length === 0 && added.every(({ usdPerMonth }) => usdPerMonth !== null)
  return {
    added,
    removed: [],
    replaced: [],
    byHand: [],
    unplaced: [...groupBy(unplaced, ({ workload }) => workload)].map(([workload, pods]) => ({
      workload,
      pods: pods.length,
    })),
    usdPerMonth: isKnown ? added.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0n), 0n) : null,
    // The added nodes show that the cluster has no free capacity for these pods; the other nodes are not packed again.
    lostSavingsUsdPerMonth: opened.length > 0 ? 0n : present.usdPerMonth,
  }
}

function describeRest(present: Outcome, later: Outcome): ChangeOutcome {
  const isNew = (known: readonly { readonly node: string }[]) => {
    const names = new Set(known.map(({ node }) => node))
    return ({ node }: { readonly node: string }) => !names.has(node)
  }
  const saved = later.usdPerMonth - present.usdPerMonth
  const falls = saved > 0n
  return {
    added: [],
    removed: falls ? later.freed.filter(isNew(present.freed)) : [],
    replaced: falls ? later.replaced.filter(isNew([...present.replaced, ...present.freed])) : [],
    byHand: later.byHand.filter(isNew(present.byHand)),
    unplaced: [],
    usdPerMonth: falls ? -saved : 0n,
    lostSavingsUsdPerMonth: falls ? 0n : -saved,
  }
}

type Settled = { readonly cluster: PackingCluster; readonly waiting: readonly PackingPod[] }

/** Places added pods and pods that no longer fit on their node on the current nodes. */
function settle(before: PackingCluster, after: PackingCluster): Settled {
  const state = makeState(after)
  const changed = listChanged(before, state)
  const moving = inQueue(state, [...changed.filter((pod) => state.nodeOf[pod] === -1), ...evict(state, changed)])
  const waiting = moving.filter((pod) => {
    const node = findNode(state, pod)
    if (node >= 0) put(state, pod, node)
    return node < 0
  })
  const pods = state.model.pods.map(({ node: _before, ...pod }, number): PackingPod => {
    const node = state.model.nodes[state.nodeOf[number] ?? -1]
    return node ? { ...pod, node: node.name } : pod
  })
  const left = new Set(waiting)
  return { cluster: { ...after, pods }, waiting: pods.filter((_pod, number) => left.has(number)) }
}

/** Pods that are new or have another size. Pods that exist only at busier times are not placed. */
function listChanged(before: PackingCluster, { model }: State): number[] {
  const shapes = new Map(before.pods.map(({ uid, shape }) => [uid, shape]))
  return model.pods.flatMap(({ uid, shape, isAbsent }, pod) =>
    isAbsent === true || shapes.get(uid) === shape ? [] : [pod],
  )
}

/** Removes pods from nodes that are too small now: changed pods first, those of the lowest priority first. */
function evict(state: State, changed: readonly number[]): number[] {
  const { model } = state
  const isChanged = new Set(changed)
  const nodes = new Set(changed.flatMap((pod) => ((state.nodeOf[pod] ?? -1) >= 0 ? [state.nodeOf[pod] ?? -1] : [])))
  return [...nodes].flatMap((node) => {
    const queue = inQueue(state, known(state.podsOn[node])).toReversed()
    const movable = queue.filter((pod) => model.leavesWithNode[pod] === 0)
    const order = [...movable.filter((pod) => isChanged.has(pod)), ...movable.filter((pod) => !isChanged.has(pod))]
    const evicted: number[] = []
    for (const pod of order) {
      if (!isOverfull(state, node)) break
      lift(state, pod)
      evicted.push(pod)
    }
    return evicted
  })
}

function isOverfull({ free, model }: State, node: number): boolean {
  const width = model.resources.length
  return free.slice(node * width, (node + 1) * width).some((amount) => amount < 0)
}

/** The pool where most pods of the same workload run. */
function homes(before: PackingCluster, after: PackingCluster): (pod: PackingPod) => string | undefined {
  const poolOf = new Map(after.nodes.map(({ name, pool }) => [name, pool]))
  const byWorkload = groupBy(
    before.pods.filter(({ node }) => node !== undefined),
    ({ workload }) => workload,
  )
  return ({ workload }) => {
    const pools = [...groupBy(byWorkload.get(workload) ?? [], ({ node = '' }) => poolOf.get(node))]
    return pools.sort(([, a], [, b]) => b.length - a.length)[0]?.[0]
  }
}
