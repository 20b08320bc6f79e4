import { changedNodesMax, type Changes } from '@plimsoll/contract'
import { WATERFALL_PARTS } from '@plimsoll/engine/vocabulary'
import { decimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import {
  addEffects,
  emptyWaterfall,
  findCreditedStep,
  readEffectKey,
  type CreditedNodes,
  type EffectSums,
  type Pair,
  type Waterfall,
} from '@plimsoll/engine/changes'
import type { ClusterBill } from './load-cluster-changes.ts'
import type { NodeChange } from './load-node-changes.ts'
import { largestFirst, presentAmount, presentAmounts, presentCosts } from './present-amounts.ts'
import { presentCauses } from './present-causes.ts'
import { presentClass } from './present-class.ts'

type Shown = NonNullable<Changes['waterfall']>

/** `hours`: the length of both windows; null if they differ. */
type WaterfallOptions = { hours: number | null; canReadSteps: boolean }

export function presentWaterfall(bills: readonly ClusterBill[], options: WaterfallOptions): Shown {
  const whole = { usd: { before: 0n, now: 0n }, parts: emptyWaterfall(), capacity: new Map() as EffectSums }
  for (const { usd, parts, capacity } of bills) {
    whole.usd.before += usd.before
    whole.usd.now += usd.now
    for (const part of WATERFALL_PARTS) whole.parts[part] += parts[part]
    addEffects(whole.capacity, capacity)
  }
  return {
    parts: presentParts(whole.parts, whole.usd),
    ...presentCauses(bills, { ...whole, ...options }),
    prices: presentPrices(whole.capacity),
    clusters: bills.map(({ clusterId, usd, parts }) => ({
      cluster_id: clusterId,
      ...presentCosts(usd),
      parts: presentParts(parts, usd),
    })),
    ...presentNodes(bills, options),
  }
}

function presentParts(parts: Waterfall, usd: Pair<Decimal>): Shown['parts'] {
  const amounts = presentAmounts(
    WATERFALL_PARTS.map((part) => parts[part]),
    usd,
  )
  return WATERFALL_PARTS.map((kind, at) => ({ kind, ...(amounts[at] ?? presentAmount(0n)) }))
}

function presentPrices(capacity: EffectSums): Shown['prices'] {
  const prices = [...capacity].flatMap(([key, usd]) => {
    const { kind, detail } = readEffectKey(key)
    return kind === 'price' ? [{ class: presentClass(detail), usd }] : []
  })
  const sorted = largestFirst(
    prices,
    ({ usd }) => usd,
    (price) => price.class,
  )
  return sorted.map(({ usd, ...price }) => ({ ...price, ...presentAmount(usd) }))
}

function presentNodes(
  bills: readonly ClusterBill[],
  { canReadSteps }: WaterfallOptions,
): Pick<Shown, 'nodes' | 'other_nodes'> {
  const nodes = bills.flatMap((bill) => bill.nodes.filter(({ usd }) => usd !== 0n))
  const steps = new Map(canReadSteps ? bills.flatMap(({ credits }) => [...credits.nodes]) : [])
  const sorted = largestFirst(
    nodes,
    ({ usd }) => usd,
    ({ clusterId, uid }) => `${clusterId} ${uid}`,
  )
  const others = sorted.slice(changedNodesMax)
  return {
    nodes: sorted.slice(0, changedNodesMax).map((node) => presentNode(node, steps)),
    other_nodes: { nodes: others.length, ...presentAmount(others.reduce((sum, { usd }) => sum + usd, 0n)) },
  }
}

const presentNode = (node: NodeChange, steps: CreditedNodes): Shown['nodes'][number] => ({
  cluster_id: node.clusterId,
  node_uid: node.uid,
  name: node.name,
  pool: node.pool,
  class: presentClass(node.classKey),
  movement: node.movement,
  first_seen_at: node.firstSeenAt?.toISOString() ?? null,
  ended_at: node.endedAt?.toISOString() ?? null,
  usd_per_hour: node.usdPerHour === null ? null : roundToNumber(decimal(node.usdPerHour)),
  ...stepOf(node, steps),
  ...presentAmount(node.usd),
})

function stepOf(node: NodeChange, steps: CreditedNodes): { step_id?: string } {
  const stepId = findCreditedStep(steps, node)
  return stepId === undefined ? {} : { step_id: stepId }
}
