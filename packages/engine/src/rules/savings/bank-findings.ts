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
  /** Leaves the bill too, and belongs to none of them: idle room that was there before. */
  readonly unattributedUsdPerMonth: number
}

export type Banked = Credits & { readonly findings: readonly RuleFinding[] }

const PLACES = 6

export type Joint = Pick<JointOutcome, 'shares'> & {
  /** What people could still take away once all open advice is followed; absent: not asked. */
  readonly byHand?: JointOutcome['byHand']
  /** By key, whether it frees anything without the others; what was not asked is not in it. */
  readonly freesAlone?: ReadonlyMap<string, boolean>
  /** By key, what the thing of each open one costs; absent: these findings are all that is open. */
  readonly costs?: Costs
}

type Costs = ReadonlyMap<string, number | null>

/**
 * Gives each finding its share of what leaves the bill when all open ones are followed together, never more than what the thing
 * costs, and its severity by that. What saves by itself, such as a volume, keeps what its rule says; what nobody knows to leave the
 * bill is never severe.
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
    // Where the scheduler was run, what it does not confirm is no money yet.
    const savingUsdPerMonth = bankableUsdPerMonth ?? 0
    const severity = severityOf({ savingUsdPerMonth, clusterUsdPerMonth, isUrgent: finding.isUrgent })
    const banked = { ...finding, bankableUsdPerMonth, severity }
    return { ...banked, bankableBecause: whyBankable(banked, whys.get(key) ?? 'own', freesAlone?.get(key)) }
  }
  return { findings: findings.map(bank), ...capped }
}

/** Of nodes that somebody is to take away, so many as can still go beside all other open advice. */
function besideOthers({ target, removesNodes, bankableUsdPerMonth: usd }: RuleFinding, byHand: Joint['byHand']) {
  if (usd === null || !byHand || !removesNodes || removesNodes.length === 0) return usd
  const left = byHand.filter(({ pool, why }) => pool === target.name && why === 'nobody-scales-the-pool').length
  return usd * Math.min(1, left / removesNodes.length)
}

/** What the thing of each finding costs, by key. */
export const costsOf = (findings: readonly Pick<RuleFinding, 'ruleId' | 'target' | 'costUsdPerMonth'>[]): Costs =>
  new Map(findings.map((finding) => [findingKey(finding), finding.costUsdPerMonth]))

/** What each proposal is credited with: its share, and no more than what the thing costs. Credits and rest add up to the joint saving. */
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

/** A thing that costs nothing, or less, saves nothing. */
const toDecimal = (usd: number): Decimal => (usd > 0 && Number.isFinite(usd) ? decimal(usd.toFixed(PLACES)) : 0n)
