import type { Estimate, EstimateNote } from '@plimsoll/contract'
import { count, roundToNumber } from '@plimsoll/engine'
import { simulateChange, type ChangeOutcome } from '@plimsoll/engine/packing'
import type { Packed } from '../facts/node-facts.ts'
import { changedCluster } from './changed-cluster.ts'
import { round, type WorkloadEstimate } from './estimate-workload.ts'

type Bill = Estimate['bill']

const isRun = ({ shown }: WorkloadEstimate) => shown.kind === 'CronJob' || shown.kind === 'Job'
const isServerless = ({ live }: WorkloadEstimate) => live?.isServerless === true

/** `packed` is undefined where the agent does not report the constraints of pods. */
export function billOf(packed: Packed | undefined, estimates: readonly WorkloadEstimate[]): Bill {
  const changed = estimates.filter(({ shown }) => shown.change !== 'unchanged')
  const serverless = changed.filter(isServerless)
  const placed = changed.filter((each) => !isRun(each) && !isServerless(each))
  const notes = [...runNotes(changed.filter(isRun)), ...serverlessNotes(serverless)]
  if (placed.length === 0) return withServerless(noNodes(notes, changed.length), serverless)
  if (!packed) {
    const detail = 'The agent does not report the placement constraints of pods. Update the agent.'
    return unknownBill([{ code: 'placement_unknown', detail }, ...notes])
  }
  const after = changedCluster(packed.cluster, placed)
  if (after.kind === 'too_many_pods') {
    const detail = `The change has ${count(Math.round(after.pods), 'pod')}. More than 20,000 are not simulated.`
    return unknownBill([{ code: 'too_many_pods', detail }, ...notes])
  }
  const outcome = simulateChange({ cluster: packed.cluster, present: packed.packing.present }, after.cluster)
  return withServerless(presentOutcome(outcome, notes), serverless)
}

export const unknownBill = (notes: EstimateNote[]): Bill => ({
  monthly_change: null,
  summary: 'Unknown',
  nodes_added: [],
  nodes_removed: [],
  notes,
})

const noNodes = (notes: EstimateNote[], changed: number): Bill => ({
  ...unknownBill(notes),
  monthly_change: 0,
  summary: changed === 0 ? 'No change: +$0 per month' : 'No node is added or removed: +$0 per month',
})

const runNotes = (runs: readonly WorkloadEstimate[]): EstimateNote[] =>
  runs.map(({ shown: { kind, namespace, name } }) => ({
    code: 'not_placed',
    detail: `${kind} ${namespace}/${name} runs only at times, so the simulation does not place its pods.`,
  }))

const serverlessNotes = (serverless: readonly WorkloadEstimate[]): EstimateNote[] =>
  serverless.map(({ shown: { kind, namespace, name } }) => ({
    code: 'serverless',
    detail: `${kind} ${namespace}/${name} runs without nodes, so the bill follows its requests.`,
  }))

/** Serverless pods are billed by their requests. */
function withServerless(bill: Bill, serverless: readonly WorkloadEstimate[]): Bill {
  if (serverless.length === 0 || bill.monthly_change === null) return bill
  const changes = serverless.map(({ shown }) => shown.monthly_change)
  if (changes.includes(null)) return { ...bill, monthly_change: null, summary: 'Unknown' }
  const more = changes.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  const total = round(bill.monthly_change + more)
  return {
    ...bill,
    monthly_change: total,
    summary: `${bill.summary}; with serverless pods: ${signedUsd(total)} per month`,
  }
}

function presentOutcome(outcome: ChangeOutcome, notes: EstimateNote[]): Bill {
  const { added, removed, replaced, usdPerMonth } = outcome
  return {
    monthly_change: usdPerMonth === null ? null : roundToNumber(usdPerMonth),
    summary: summaryOf(outcome),
    nodes_added: added.map(({ pool, instanceType, count: nodes, usdPerMonth: usd }) => ({
      node_pool: pool,
      instance_type: instanceType,
      count: nodes,
      monthly_cost: usd === null ? null : roundToNumber(usd),
    })),
    nodes_removed: [
      ...removed.map(({ node, pool, usdPerMonth: usd, unpriced }) => ({
        node,
        node_pool: pool,
        monthly_cost: unpriced ? null : roundToNumber(usd),
      })),
    ],
    notes: [
      ...outcomeNotes(outcome),
      ...replaced.map(({ node, type, usdPerMonth: saved }): EstimateNote => ({
        code: 'node_replaced',
        detail: `Karpenter can replace node ${node} with a ${type}: ${signedUsd(-roundToNumber(saved))} per month.`,
      })),
      ...notes,
    ],
  }
}

function outcomeNotes({ added, byHand, unplaced, lostSavingsUsdPerMonth: lost }: ChangeOutcome): EstimateNote[] {
  const manual = added.filter(({ isAutoscaled }) => !isAutoscaled)
  return [
    ...unplaced.map(({ workload, pods }): EstimateNote => ({
      code: 'fits_nowhere',
      detail: `${count(pods, 'pod')} of ${workload} fit on no node, and no node pool can add a suitable node.`,
    })),
    ...manual.map(({ pool, count: nodes }): EstimateNote => ({
      code: 'no_autoscaler',
      detail: `Node pool ${pool} has no known autoscaler. The pods stay pending until you add ${count(nodes, 'node')}.`,
    })),
    ...byHand.map(({ node, usdPerMonth }): EstimateNote => ({
      code: 'removable_by_hand',
      detail: `After the change you can remove node ${node}, which no autoscaler removes: ${signedUsd(-roundToNumber(usdPerMonth))} per month.`,
    })),
    ...(lost > 0n
      ? [
          {
            code: 'savings_lost' as const,
            detail: `The change uses capacity of nodes that could be removed today. Savings of ${usd(roundToNumber(lost))} per month are no longer possible.`,
          },
        ]
      : []),
  ]
}

function summaryOf({ added, removed, replaced, unplaced, usdPerMonth }: ChangeOutcome): string {
  if (unplaced.length > 0) return 'Unknown: some pods fit on no node'
  const parts = [
    ...added.map(
      ({ pool, instanceType, count: nodes }) =>
        `${nodes} more ${instanceType === '' ? (nodes === 1 ? 'node' : 'nodes') : instanceType}${pool === '' ? '' : ` in pool ${pool}`}`,
    ),
    ...(removed.length > 0 ? [`${count(removed.length, 'node')} fewer`] : []),
    ...(replaced.length > 0 ? [`${count(replaced.length, 'node')} replaced with a cheaper type`] : []),
  ]
  const what = parts.length === 0 ? 'Fits into free capacity' : parts.join(', ')
  return usdPerMonth === null ? `${what}: cost unknown` : `${what}: ${signedUsd(roundToNumber(usdPerMonth))} per month`
}

const usd = (amount: number) => {
  const cents = { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 }
  return `$${Math.abs(amount).toLocaleString('en-US', cents)}`
}
const signedUsd = (amount: number) => `${amount < 0 ? '-' : '+'}${usd(amount)}`
