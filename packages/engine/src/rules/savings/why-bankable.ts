import type { Finding } from '../finding.ts'

type Saving = Pick<Finding, 'estimatedUsdPerMonth' | 'bankableUsdPerMonth' | 'removesNodes'>

/**
 * Where a finding ends: in a step, in a step that protects, in the rest, which no step needs, or `not-simulated`: the
 * simulation has not run.
 */
type Where = 'step' | 'protect' | 'rest' | 'not-simulated'

/** A difference below a cent does not count. */
const CENT = 0.01

/** Why bankable and estimated savings differ, for display. */
export function whyBankable(
  { estimatedUsdPerMonth, bankableUsdPerMonth, removesNodes }: Saving,
  where: Where = 'step',
): string {
  if (bankableUsdPerMonth === null) return where === 'not-simulated' ? NOT_RUN : NOT_PART
  const more = bankableUsdPerMonth - estimatedUsdPerMonth
  if (estimatedUsdPerMonth < 0) return bankableUsdPerMonth < 0 ? NEEDS_MORE : FITS
  // Requests are added where usage needs them already: nothing is freed.
  if (estimatedUsdPerMonth === 0 && Math.abs(bankableUsdPerMonth) <= CENT) return NO_CHANGE
  if (where === 'protect') return bankableUsdPerMonth < -CENT ? NEEDS_MORE : KEEPS
  if (removesNodes && more < -CENT) return OTHERS_NEED_THEM
  return where === 'rest' ? NOT_NEEDED : whyOwn(bankableUsdPerMonth, more)
}

const NOT_RUN = 'Not computed: the scheduler simulation has not run.'
const NOT_PART = 'Bankable savings are not computed: the scheduler simulation does not cover this rule.'
const FITS = 'The current nodes have capacity for the larger requests, so the bill does not grow.'
const NO_CHANGE = 'The change has no cost, so the bill does not change.'
const KEEPS = 'After the fix the pods still need their requests, so the bill does not change.'
const NEEDS_MORE =
  'The larger requests need more or larger nodes, or prevent node removals. The amount is this change’s share of the cost of these nodes.'
const OTHERS_NEED_THEM = 'With the earlier steps of the plan applied, fewer of these nodes can be removed.'
const NOT_NEEDED = 'After the other steps of the plan, this change removes no further node.'

function whyOwn(bankableUsd: number, more: number): string {
  if (Math.abs(more) <= CENT) return 'The bill drops when the change is applied.'
  if (more > 0) return 'The removed nodes also have unallocated capacity, so the bill drops by more than the estimate.'
  return bankableUsd > CENT
    ? 'The node autoscaler replaces part of the nodes; you must replace the rest manually.'
    : 'No node autoscaler changes the instances of this pool: the bill drops only when you change them.'
}
