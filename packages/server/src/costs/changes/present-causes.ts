import type { Changes } from '@plimsoll/contract'
import { OTHER_CAUSES } from '@plimsoll/engine/vocabulary'
import type { Decimal } from '@plimsoll/engine'
import { clusterRunRate, findCreditedStep, waterfallCauses, type Pair } from '@plimsoll/engine/changes'
import type { ClusterBill } from './load-cluster-changes.ts'
import { largestFirst, presentAmount, presentAmounts, presentCosts } from './present-amounts.ts'
import { presentClass } from './present-class.ts'

type Shown = NonNullable<Changes['waterfall']>
type Cause = NonNullable<Shown['causes']>[number]
type Named = Pick<Cause, 'kind' | 'step'> & { usd: Decimal; monthly: Decimal }

/** The bill of all clusters, and the length of both windows in hours; null: they differ. */
export type WholeBill = { usd: Pair<Decimal>; hours: number | null; canReadSteps: boolean }

/** The change of the bill by cause: plan steps first. Also per month, to compare it with run rates. */
export function presentCauses(bills: readonly ClusterBill[], whole: WholeBill): Pick<Shown, 'causes' | 'run_rate'> {
  const measured = bills.map((bill) => ({
    ...waterfallCauses(bill.parts, bill.credits.credits),
    rate: clusterRunRate(bill),
  }))
  const ofSteps = measured.flatMap(({ steps, rate }) =>
    [...steps].map(([id, usd]): Named => {
      const step = presentStep(bills, id)
      return { kind: 'step', step, usd, monthly: rate?.perMonth(usd) ?? 0n }
    }),
  )
  const causes = [
    ...largestFirst(
      whole.canReadSteps ? ofSteps : mergeSteps(ofSteps),
      ({ usd }) => usd,
      ({ step }) => step?.id ?? '',
    ),
    ...OTHER_CAUSES.map((kind): Named => {
      const isRate = kind !== 'hours'
      return {
        kind,
        usd: sumOf(measured, ({ others }) => others[kind]),
        monthly: sumOf(measured, ({ others, rate }) => (isRate ? (rate?.perMonth(others[kind]) ?? 0n) : 0n)),
      }
    }),
  ]
  const runRate = {
    before: sumOf(measured, ({ rate }) => rate?.usd.before ?? 0n),
    now: sumOf(measured, ({ rate }) => rate?.usd.now ?? 0n),
  }
  const isComparable = whole.hours !== null && (bills.length === 0 || measured.some(({ rate }) => rate !== null))
  const amounts = presentAmounts(causes.map(({ usd }) => usd), whole.usd) // prettier-ignore
  const perMonth = presentAmounts(causes.map(({ monthly }) => monthly), runRate) // prettier-ignore
  return {
    causes: causes.map(({ usd, monthly: _monthly, ...cause }, at) => ({
      ...cause,
      ...(amounts[at] ?? presentAmount(usd)),
      per_month: isComparable ? (perMonth[at]?.amount ?? 0) : null,
    })),
    run_rate: isComparable ? presentCosts(runRate) : null,
  }
}

const sumOf = <Item>(items: readonly Item[], usdOf: (item: Item) => Decimal) =>
  items.reduce((sum, item) => sum + usdOf(item), 0n)

/** One cause without a name, for a caller who may not read recommendations. */
function mergeSteps(steps: readonly Named[]): Named[] {
  if (steps.length === 0) return []
  return [{ kind: 'step', usd: sumOf(steps, ({ usd }) => usd), monthly: sumOf(steps, ({ monthly }) => monthly) }]
}

function presentStep(bills: readonly ClusterBill[], id: string): NonNullable<Cause['step']> {
  const bill = bills.find(({ credits }) => credits.steps.has(id))
  const { nodes = [], credits } = bill ?? {}
  const named = credits?.steps.get(id)
  const own = nodes.filter((node) => credits && findCreditedStep(credits.nodes, node) === id)
  return {
    id,
    cluster_id: named?.clusterId ?? '',
    title: named?.title ?? '',
    nodes: own.filter(({ movement }) => movement === 'removed').length,
    classes: [...new Set(own.map(({ classKey }) => presentClass(classKey)))],
    resources: credits?.credits.filter(({ stepId, part }) => stepId === id && part !== 'nodes').length ?? 0,
  }
}
