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
  if (bankableUsdPerMonth === null) return 'Not known: the scheduler was not run again with this change.'
  const more = bankableUsdPerMonth - estimatedUsdPerMonth
  if (estimatedUsdPerMonth < 0) return bankableUsdPerMonth < 0 ? NEEDS_MORE : FITS
  if (removesNodes && more < -CENT) return OTHERS_NEED_THEM
  if (why !== 'shared') return why === 'own' ? whyOwn(bankableUsdPerMonth, more) : NOTHING[why]
  const share = freesAlone === false ? NOTHING_ALONE : ITS_SHARE
  return more > CENT ? `${share} ${GOES_WITH_IT}` : more < -CENT ? `${share} ${STAYS}` : share
}

const FITS = 'The nodes that are there have room for it, so the bill does not grow.'
const NEEDS_MORE = 'It needs more or larger nodes, or keeps some from going: this is its share of them.'
const NOTHING_ALONE =
  'It frees nothing alone; this is its share of the nodes that go when all open advice is followed, because nodes go as a whole.'
const ITS_SHARE =
  'This is its share of the nodes that go when all open advice is followed; a preview says what it frees alone.'
const GOES_WITH_IT =
  'Those nodes also have room that nobody had asked for; it goes with them, so this is more than the estimate.'
const OTHERS_NEED_THEM = 'Beside all other open advice fewer of these nodes can go: their room is needed then.'
const STAYS = 'The rest of the room stays on nodes that others still need.'

const NOTHING: Readonly<Record<Exclude<Share['why'], 'shared'>, string>> = {
  'no-node-freed': 'No node becomes empty, even when all open advice is followed: the room is there for others.',
  'frees-nothing-that-binds':
    'What it frees is not what decides how many nodes there are: the room is there for others.',
  'only-by-hand':
    'It runs in a pool that nobody scales: nothing leaves the bill before somebody lowers the size of its node group.',
}

function whyOwn(bankableUsd: number, more: number): string {
  if (Math.abs(more) <= CENT) return 'It leaves the bill once this is done.'
  return bankableUsd > CENT
    ? 'So much the scaler of the pool does by itself; the rest is done by hand.'
    : 'No scaler changes the machines of this pool: nothing leaves the bill before somebody does.'
}
