import { DAILY_BAND, keepWithin, SHARE_WITH_BAND } from './band.ts'
import { valueAt, type Column } from './columns.ts'
import type { Anchor } from './safety-margin.ts'
import type { Fleet, ShareColumns } from './fleet.ts'
import { cornerAt } from './frontier.ts'
import { chooseShare, type Backtest } from './give-back.ts'
import type { Unknown, Withheld } from './guards.ts'
import { riskClass, type RiskClass } from './risk.ts'
import { requestAt, solveTotal, type Solution } from './solve-total.ts'

export type CpuDecision =
  | Unknown
  | Withheld
  | {
      readonly kind: 'request'
      /** CPU units per pod. */
      readonly units: number
      /** Whether this is the standing value, because it is close enough to the new one. */
      readonly isStanding: boolean
      readonly meanUnits: number
      readonly vpaUnits: number
      readonly krr95Units: number
      readonly krr99Units: number
      readonly replicaFactor: number
      /** Of the last 14 days, with this request all the time. */
      readonly shortShare: number
      readonly risk: RiskClass
      /** Start-up uses more than twice the request: starts become slower, so the risk is never low. */
      readonly startUpPeak: boolean
    }

export type FleetDecision = {
  /** In the order of the survey. */
  readonly decisions: readonly CpuDecision[]
  readonly anchorUnits: number
  /** The spent part of the anchor total. */
  readonly share: number
  readonly totalUnits: number
  /** All requests times replicas. Above the budget only if floors require it. */
  readonly requestedUnits: number
  /** The price of an hour of shortage in this fleet, as a multiple of the cost to prevent it. */
  readonly price: number
  readonly backtest: Backtest
}

const START_UP_MAX = 2

export function settleFleet({ policy, rehearsal, shares, verdicts, factors }: Fleet): FleetDecision {
  const { share, backtest } = chooseShare(rehearsal, policy.dial, policy.standingDays)
  const anchorUnits = anchorTotal(shares, policy.dial.anchor)
  const totalUnits = share * anchorUnits
  const solution = solveTotal(shares, policy.keepsStanding ? SHARE_WITH_BAND * totalUnits : totalUnits)

  const decisions: CpuDecision[] = verdicts.map((verdict) => verdict ?? { kind: 'unknown', reason: 'no_samples' })
  let requestedUnits = 0
  for (let index = 0; index < shares.replicas.length; index++) {
    const container = valueAt(shares.container, index)
    const decision = decide(shares, index, {
      solution,
      keepsStanding: policy.keepsStanding,
      replicaFactor: valueAt(factors, container),
    })
    decisions[container] = decision
    requestedUnits += valueAt(shares.replicas, index) * decision.units
  }
  return { decisions, anchorUnits, share, totalUnits, requestedUnits, price: solution.price, backtest }
}

function decide(
  shares: ShareColumns,
  index: number,
  { solution, keepsStanding, replicaFactor }: { solution: Solution; keepsStanding: boolean; replicaFactor: number },
) {
  const next = requestAt(shares, index, solution)
  const standing = keepsStanding ? valueAt(shares.standing, index) : 0
  const units = standing > 0 ? keepWithin(DAILY_BAND, standing, next) : next
  const shortShare = shortShareAt(shares, index, units)
  const startUpPeak = valueAt(shares.startUp, index) > START_UP_MAX * units
  const risk = riskClass(shortShare)
  return {
    kind: 'request' as const,
    units,
    isStanding: standing > 0 && units === standing,
    meanUnits: valueAt(shares.mean, index),
    vpaUnits: valueAt(shares.vpa, index),
    krr95Units: valueAt(shares.krr95, index),
    krr99Units: valueAt(shares.krr99, index),
    replicaFactor,
    shortShare,
    risk: startUpPeak && risk === 'low' ? ('medium' as const) : risk,
    startUpPeak,
  }
}

/** From the corner at or below the request, so that the result is never too good. */
function shortShareAt({ firstCorner, cornerUnits, cornerShort }: ShareColumns, index: number, units: number): number {
  const from = valueAt(firstCorner, index)
  const to = valueAt(firstCorner, index + 1)
  if (from === to || units < valueAt(cornerUnits, from)) return 1
  return valueAt(cornerShort, cornerAt(cornerUnits.values, from, to, units))
}

function anchorTotal(shares: ShareColumns, anchor: Anchor): number {
  const total = (units: Column) => {
    let sum = 0
    for (let index = 0; index < units.length; index++) sum += valueAt(shares.replicas, index) * valueAt(units, index)
    return sum
  }
  switch (anchor) {
    case 'vpa':
      return total(shares.vpa)
    case 'krr95':
      return total(shares.krr95)
    case 'krr99':
      return total(shares.krr99)
    case 'safest':
      return Math.max(total(shares.vpa), total(shares.krr99))
  }
}
