import { decimal, roundToNumber, type Decimal } from '../../decimal.ts'
import type { JointOutcome, Share } from '../../packing/bankable-savings.ts'
import { capShares } from '../../packing/cap-shares.ts'
import { findingKey } from './list-proposals.ts'
import type { RuleFinding } from '../evaluate.ts'
import { severityOf } from './severity.ts'
import { whyBankable } from './why-bankable.ts'

export type Credits = {
  /** By the id of the proposal. */
  readonly usdPerMonth: ReadonlyMap<string, number>
  /** Bankable savings without an owner: capacity that was unallocated before. */
  readonly unattributedUsdPerMonth: number
}

export type Banked = Credits & { readonly findings: readonly RuleFinding[] }

const PLACES = 6

export type Joint = Pick<JointOutcome, 'shares'> & {
  /** Nodes that users could still remove once all open recommendations are applied; absent: not computed. */
  readonly byHand?: JointOutcome['byHand']
  /** By key: whether it frees a node alone; absent keys were not simulated. */
  readonly freesAlone?: ReadonlyMap<string, boolean>
  /** By key: the cost of the object of each open recommendation; absent: these findings are all that is open. */
  readonly costs?: Costs
}

type Costs = ReadonlyMap<string, number | null>

/**
 * Gives each finding its share of the joint bankable savings, at most the cost of its object, and the resulting
 * severity. Findings without pod changes, such as those about volumes, keep the figure of their rule. A finding without
 * known bankable savings is never severe.
 */
export function bankFindings(
  findings: readonly RuleFinding[],
  { shares, byHand, freesAlone, costs = costsOf(findings) }: Joint,
  clusterUsdPerMonth: number | null,
): Banked {
  const capped = creditShares(shares, costs)
  const whys = new Map(shares.map(({ id, why }) => [id, why]))
  const bank = (finding: RuleFinding): RuleFinding => {
    const key = findingKey(finding)
    const bankableUsdPerMonth = capped.usdPerMonth.get(key) ?? besideOthers(finding, byHand)
    // After a simulation, unconfirmed savings count as 0.
    const savingUsdPerMonth = bankableUsdPerMonth ?? 0
    const severity = severityOf({ savingUsdPerMonth, clusterUsdPerMonth, isUrgent: finding.isUrgent })
    const banked = { ...finding, bankableUsdPerMonth, severity }
    return { ...banked, bankableBecause: whyBankable(banked, whys.get(key) ?? 'own', freesAlone?.get(key)) }
  }
  return { findings: findings.map(bank), ...capped }
}

/** For manual removal: the nodes that can still go beside all other open recommendations. */
function besideOthers({ target, removesNodes, bankableUsdPerMonth: usd }: RuleFinding, byHand: Joint['byHand']) {
  if (usd === null || !byHand || !removesNodes || removesNodes.length === 0) return usd
  const left = byHand.filter(({ pool, why }) => pool === target.name && why === 'nobody-scales-the-pool').length
  return usd * Math.min(1, left / removesNodes.length)
}

/** By key: the cost of the object of each finding. */
export const costsOf = (findings: readonly Pick<RuleFinding, 'ruleId' | 'target' | 'costUsdPerMonth'>[]): Costs =>
  new Map(findings.map((finding) => [findingKey(finding), finding.costUsdPerMonth]))

/**
 * The credit of each proposal: its share, at most the cost of its object. Credits and rest add up to the joint savings.
 */
export function creditShares(shares: readonly Share[], costs: Costs): Credits {
  const caps = new Map<string, Decimal>()
  for (const { id } of shares) {
    const cost = costs.get(id) ?? null
    if (cost !== null) caps.set(id, toDecimal(cost))
  }
  const capped = capShares(new Map(shares.map(({ id, usdPerMonth }) => [id, usdPerMonth])), caps)
  return {
    usdPerMonth: new Map([...capped.shares].map(([id, usd]) => [id, roundToNumber(usd, PLACES)])),
    unattributedUsdPerMonth: roundToNumber(capped.unattributed, PLACES),
  }
}

/** An object without a positive cost saves nothing. */
const toDecimal = (usd: number): Decimal => (usd > 0 && Number.isFinite(usd) ? decimal(usd.toFixed(PLACES)) : 0n)
