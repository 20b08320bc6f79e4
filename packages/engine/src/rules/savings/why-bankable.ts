import type { Share } from '../../packing/bankable-savings.ts'
import type { Finding } from '../finding.ts'

type Saving = Pick<Finding, 'estimatedUsdPerMonth' | 'bankableUsdPerMonth' | 'removesNodes'>

/** `own`: the amount of the rule itself, beside the simulation. `not-simulated`: the simulation has not run. */
type Why = Share['why'] | 'own' | 'not-simulated'

/** A difference below a cent is no difference. */
const CENT = 0.01

/** Why bankable and estimated savings differ, for display. `freesAlone` is absent if it was not simulated. */
export function whyBankable(
  { estimatedUsdPerMonth, bankableUsdPerMonth, removesNodes }: Saving,
  why: Why,
  freesAlone?: boolean,
): string {
  if (bankableUsdPerMonth === null) return why === 'not-simulated' ? NOT_RUN : NOT_PART
  const more = bankableUsdPerMonth - estimatedUsdPerMonth
  if (estimatedUsdPerMonth < 0) return bankableUsdPerMonth < 0 ? NEEDS_MORE : FITS
  // Requests are added where usage needs them already: nothing is freed.
  if (estimatedUsdPerMonth === 0 && Math.abs(bankableUsdPerMonth) <= CENT) return NO_CHANGE
  if (removesNodes && more < -CENT) return OTHERS_NEED_THEM
  if (why === 'own' || why === 'not-simulated') return whyOwn(bankableUsdPerMonth, more)
  if (why !== 'shared') return NOTHING[why]
  const share = freesAlone === false ? NOTHING_ALONE : ITS_SHARE
  return more > CENT ? `${share} ${GOES_WITH_IT}` : more < -CENT ? `${share} ${STAYS}` : share
}

const NOT_RUN = 'Not computed: the scheduler simulation has not run.'
const NOT_PART = 'No bankable savings: this rule is not part of the scheduler simulation.'
const FITS = 'The current nodes have capacity for the larger requests, so the bill does not grow.'
const NO_CHANGE = 'The nodes have capacity for the new requests, so the bill does not change.'
const NEEDS_MORE =
  'The larger requests need more or larger nodes, or prevent node removals. The amount is the share of this change in their price.'
const ITS_SHARE =
  'If all open recommendations are applied, the bankable amount is the share of this change in the price of the removed nodes.'
const NOTHING_ALONE = `Applied alone, this change removes no node. ${ITS_SHARE}`
const GOES_WITH_IT = 'The share exceeds the estimate because removed nodes also had unallocated capacity.'
const OTHERS_NEED_THEM = 'With all other open recommendations applied, fewer of these nodes can be removed.'
const STAYS = 'The rest of the freed capacity stays on nodes that are still needed.'

const NOTHING: Readonly<Record<Exclude<Share['why'], 'shared'>, string>> = {
  'no-node-freed':
    'No node can be removed, even if all open recommendations are applied. The freed capacity is available to other pods.',
  'frees-nothing-that-binds':
    'Another resource determines the number of nodes, so no node can be removed. The freed capacity is available to other pods.',
  'only-by-hand': 'Its node pool has no autoscaler: the bill drops only when you reduce the size of the node group.',
}

function whyOwn(bankableUsd: number, more: number): string {
  if (Math.abs(more) <= CENT) return 'The bill drops once this is applied.'
  return bankableUsd > CENT
    ? 'The node autoscaler replaces part of the nodes; you must replace the rest manually.'
    : 'No node autoscaler changes the instances of this pool: the bill drops only when you change them.'
}
