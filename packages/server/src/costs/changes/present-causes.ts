import type { Changes } from '@plimsoll/contract'
import { HOURS_PER_MONTH, type Decimal } from '@plimsoll/engine'
import { OTHER_CAUSES, waterfallCauses, type Pair, type Waterfall } from '@plimsoll/engine/changes'
import type { ClusterBill } from './load-cluster-changes.ts'
import { largestFirst, presentAmount, presentAmounts, presentCosts } from './present-amounts.ts'
import { presentClass } from './present-class.ts'

type Shown = NonNullable<Changes['waterfall']>
type Cause = NonNullable<Shown['causes']>[number]
type Named = Pick<Cause, 'kind' | 'step'> & { usd: Decimal }

/** The bill of all clusters, and the length of both windows in hours; null: they differ. */
export type WholeBill = { usd: Pair<Decimal>; parts: Waterfall; hours: number | null; canReadSteps: boolean }

/** The change of the bill by cause: plan steps first. Also per month, to compare it with run rates. */
export function presentCauses(bills: readonly ClusterBill[], whole: WholeBill): Pick<Shown, 'causes' | 'run_rate'> {
  const { steps, others } = waterfallCauses(
    whole.parts,
    bills.flatMap(({ credits }) => credits.credits),
  )
  const ofSteps = whole.canReadSteps
    ? [...steps].map(([id, usd]): Named => ({ kind: 'step', step: presentStep(bills, id), usd }))
    : mergeSteps(steps)
  const causes = [
    ...largestFirst(
      ofSteps,
      ({ usd }) => usd,
      ({ step }) => step?.id ?? '',
    ),
    ...OTHER_CAUSES.map((kind): Named => ({ kind, usd: others[kind] })),
  ]
  const { hours } = whole
  const perMonth = (usd: Decimal) => (hours === null ? 0n : (usd * BigInt(HOURS_PER_MONTH)) / BigInt(hours))
  const runRate = { before: perMonth(whole.usd.before), now: perMonth(whole.usd.now) }
  const amounts = presentAmounts(causes.map(({ usd }) => usd), whole.usd) // prettier-ignore
  const monthly = presentAmounts(causes.map(({ usd }) => perMonth(usd)), runRate) // prettier-ignore
  return {
    causes: causes.map(({ usd, ...cause }, at) => ({
      ...cause,
      ...(amounts[at] ?? presentAmount(usd)),
      per_month: hours === null ? null : (monthly[at]?.amount ?? 0),
    })),
    run_rate: hours === null ? null : presentCosts(runRate),
  }
}

/** One cause without a name, for a caller who may not read recommendations. */
function mergeSteps(steps: ReadonlyMap<string, Decimal>): Named[] {
  if (steps.size === 0) return []
  return [{ kind: 'step', usd: [...steps.values()].reduce((sum, usd) => sum + usd, 0n) }]
}

function presentStep(bills: readonly ClusterBill[], id: string): NonNullable<Cause['step']> {
  const bill = bills.find(({ credits }) => credits.steps.has(id))
  const { nodes = [], credits } = bill ?? {}
  const named = credits?.steps.get(id)
  const own = nodes.filter(({ uid, movement }) => {
    const credit = credits?.nodes.get(uid)
    return credit?.stepId === id && credit.movement === movement
  })
  return {
    id,
    cluster_id: named?.clusterId ?? '',
    title: named?.title ?? '',
    nodes: own.filter(({ movement }) => movement === 'removed').length,
    classes: [...new Set(own.map(({ classKey }) => presentClass(classKey)))],
    resources: credits?.credits.filter(({ stepId, part }) => stepId === id && part !== 'nodes').length ?? 0,
  }
}
