import type { Share } from '../../packing/bankable-savings.ts'
import type { Finding } from '../finding.ts'

type Saving = Pick<Finding, 'estimatedUsdPerMonth' | 'bankableUsdPerMonth' | 'removesNodes'>

/** Said without the scheduler: by the rule itself. */
type Why = Share['why'] | 'own'

/** Less than a cent apart is the same money. */
const CENT = 0.01

/** Why what leaves the bill is not what was estimated, and whose doing it is, for people. `freesAlone` is absent where nobody asked. */
export function whyBankable(
  { estimatedUsdPerMonth, bankableUsdPerMonth, removesNodes }: Saving,
  why: Why,
  freesAlone?: boolean,
): string {
  if (bankableUsdPerMonth === null) return 'Unknown: the scheduler simulation has not run with this change.'
  const more = bankableUsdPerMonth - estimatedUsdPerMonth
  if (estimatedUsdPerMonth < 0) return bankableUsdPerMonth < 0 ? NEEDS_MORE : FITS
  if (removesNodes && more < -CENT) return OTHERS_NEED_THEM
  if (why !== 'shared') return why === 'own' ? whyOwn(bankableUsdPerMonth, more) : NOTHING[why]
  const share = freesAlone === false ? NOTHING_ALONE : ITS_SHARE
  return more > CENT ? `${share} ${GOES_WITH_IT}` : more < -CENT ? `${share} ${STAYS}` : share
}

const FITS = 'The present nodes have capacity for it, so the bill does not grow.'
const NEEDS_MORE = 'It needs more or larger nodes, or prevents the removal of some: this is its share of their price.'
const NOTHING_ALONE =
  'Applied alone, this change removes no node. If all open recommendations are applied, this is its share of the removed nodes.'
const ITS_SHARE =
  'If all open recommendations are applied, this is its share of the removed nodes. The preview shows what it saves alone.'
const GOES_WITH_IT = 'Removed nodes also had unallocated capacity, so this is more than the estimate.'
const OTHERS_NEED_THEM = 'With all other open recommendations applied, fewer of these nodes can be removed.'
const STAYS = 'The rest of the freed capacity stays on nodes that are still needed.'

const NOTHING: Readonly<Record<Exclude<Share['why'], 'shared'>, string>> = {
  'no-node-freed':
    'No node can be removed, even if all open recommendations are applied. The freed capacity is available to other pods.',
  'frees-nothing-that-binds':
    'The freed resource does not decide the number of nodes. The capacity is available to other pods.',
  'only-by-hand': 'Its node pool has no autoscaler: the bill drops only when you reduce the size of the node group.',
}

function whyOwn(bankableUsd: number, more: number): string {
  if (Math.abs(more) <= CENT) return 'The bill drops once this is applied.'
  return bankableUsd > CENT
    ? 'The node autoscaler does this part by itself; the rest is manual work.'
    : 'No node autoscaler changes the instances of this pool: the bill drops only when you change them.'
}
