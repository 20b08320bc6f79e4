import { decimal, roundToNumber, type Decimal } from '../decimal.ts'
import type { JointOutcome } from '../packing/bankable-savings.ts'
import { capShares } from '../packing/cap-shares.ts'
import { findingKey } from './list-proposals.ts'
import type { RuleFinding } from './run-rules.ts'
import { severityOf } from './severity.ts'
import { whyBankable } from './why-bankable.ts'

export type Banked = {
  readonly findings: readonly RuleFinding[]
  /** Leaves the bill too, and belongs to none of them: idle room that was there before. */
  readonly unattributedUsdPerMonth: number
}

const PLACES = 6

/**
 * Gives each finding its share of what leaves the bill when all of them are followed together, never more than what the thing
 * costs, and its severity by that. What saves by itself, such as a volume, keeps what its rule says; what nobody knows to leave the
 * bill is never severe.
 */
export function bankFindings(
  findings: readonly RuleFinding[],
  { shares }: Pick<JointOutcome, 'shares'>,
  clusterUsdPerMonth: number | null,
): Banked {
  const byKey = new Map(findings.map((finding) => [findingKey(finding), finding]))
  const caps = new Map<string, Decimal>()
  for (const { id } of shares) {
    const cost = byKey.get(id)?.costUsdPerMonth ?? null
    if (cost !== null) caps.set(id, toDecimal(cost))
  }
  const capped = capShares(new Map(shares.map(({ id, usdPerMonth }) => [id, usdPerMonth])), caps)
  const whys = new Map(shares.map(({ id, why }) => [id, why]))
  const bank = (finding: RuleFinding): RuleFinding => {
    const share = capped.shares.get(findingKey(finding))
    const bankableUsdPerMonth = share === undefined ? finding.bankableUsdPerMonth : roundToNumber(share, PLACES)
    // Where the scheduler was run, what it does not confirm is no money yet.
    const savingUsdPerMonth = bankableUsdPerMonth ?? 0
    const severity = severityOf({ savingUsdPerMonth, clusterUsdPerMonth, isUrgent: finding.isUrgent })
    const banked = { ...finding, bankableUsdPerMonth, severity }
    return { ...banked, bankableBecause: whyBankable(banked, whys.get(findingKey(finding)) ?? 'own') }
  }
  return { findings: findings.map(bank), unattributedUsdPerMonth: roundToNumber(capped.unattributed, PLACES) }
}

/** A thing that costs nothing, or less, saves nothing. */
const toDecimal = (usd: number): Decimal => (usd > 0 && Number.isFinite(usd) ? decimal(usd.toFixed(PLACES)) : 0n)
