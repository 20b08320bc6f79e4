import type { Changes } from '@plimsoll/contract'
import { billBridge } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { shortOwner } from '../allocation/owner.ts'
import { factsText } from './facts-text.ts'

type Effect = Changes['total']['effects'][number]
type Row = Changes['rows'][number]

/** The causes in the order of the bridge. */
export const causes = [
  ['hours', 'More or fewer hours with data'],
  ['new', 'New workloads'],
  ['gone', 'Removed workloads'],
  ['new_clusters', 'New clusters'],
  ['gone_clusters', 'Removed clusters'],
  ['moved', 'Moved between teams or labels'],
  ['replicas', 'Replicas'],
  ['request', 'Requests'],
  ['usage', 'Usage above requests'],
  ['price', 'Price'],
  ['node_mix', 'Node types'],
  ['idle', 'Unallocated'],
  ['storage', 'Storage'],
  ['load_balancer', 'Load balancers'],
  ['overhead', 'Control plane fees'],
  ['other', 'Other'],
] as const

export type CauseId = (typeof causes)[number][0]

/** Kinds of effects on workloads that are a cause of their own. */
const ofCompute = ['new', 'gone', 'moved', 'replicas', 'request', 'usage', 'price', 'node_mix'] as const
/** Unallocated cost of a whole cluster, and the price of its nodes. */
const ofIdle = { new: 'new_clusters', gone: 'gone_clusters', price: 'price' } as const

/** Hours without data are one cause for all parts. Compute is split by kind; other parts are shown as a whole. */
function causeOf({ part, kind }: Pick<Effect, 'part' | 'kind'>): CauseId {
  if (kind === 'hours') return kind
  if (part === 'compute') return ofCompute.find((each) => each === kind) ?? 'other'
  if (part === 'idle' && (kind === 'new' || kind === 'gone' || kind === 'price')) return ofIdle[kind]
  return part
}

export type CauseAmount = { id: CauseId; word: string; usd: number }

/** Amounts of zero are left out. They add up to the difference. */
export function sumByCause(effects: readonly Effect[]): CauseAmount[] {
  return causes.flatMap(([id, word]) => {
    const usd = effects.reduce((sum, effect) => (causeOf(effect) === id ? sum + Number(effect.exact_amount) : sum), 0)
    return usd === 0 ? [] : [{ id, word, usd }]
  })
}

/** The causes, and every amount of the page in cents: they add up from the cost before to the cost now. */
export function causeBridge({ total }: Pick<Changes, 'total'>) {
  const causes = sumByCause(total.effects)
  const shown = billBridge(
    total.before,
    causes.map(({ usd }) => usd),
  )
  return { causes, shown }
}

export type Contributor = { key: string; name: string; word: string; by: string; text: string; usd: number }

export type CauseLine = CauseAmount & { text: string; contributors: Contributor[] }

const contributorsMax = 20

/** Each cause with the rows that it changed, largest first; the last line sums up the others. */
export function contributorsByCause({ total, rows, rest, by }: Changes): CauseLine[] {
  const [dimension = ''] = by
  const lines = sumByCause(total.effects).map((cause) => {
    const own = rows.flatMap((row) => contributorOf(row, cause.id, dimension))
    own.sort((a, b) => Math.abs(b.usd) - Math.abs(a.usd))
    const shown = own.slice(0, contributorsMax)
    const remainder = cause.usd - shown.reduce((sum, { usd }) => sum + usd, 0)
    const others =
      Math.abs(remainder) < 0.005 ? [] : [{ key: '', name: '', word: 'Others', by: '', text: '', usd: remainder }]
    return {
      ...cause,
      text: countText(own, dimension, rest.rows > 0 ? rows.length : null),
      contributors: [...shown, ...others],
    }
  })
  return lines.sort((a, b) => Math.abs(b.usd) - Math.abs(a.usd))
}

type CauseOrder = { by: 'word' | 'usd'; isDescending: boolean }

/** Orders the causes, and the contributors of each cause. The sum of the other contributors stays last. */
export function sortCauses(causes: readonly CauseLine[], { by, isDescending }: CauseOrder): CauseLine[] {
  const sign = isDescending ? -1 : 1
  const compare = (a: Sorted, b: Sorted) => sign * (by === 'usd' ? a.usd - b.usd : a.word.localeCompare(b.word))
  return causes
    .map((cause) => ({ ...cause, contributors: sortContributors(cause.contributors, compare) }))
    .sort(compare)
}

type Sorted = Pick<CauseLine, 'word' | 'usd'>

const sortContributors = (all: readonly Contributor[], compare: (a: Sorted, b: Sorted) => number): Contributor[] => [
  ...all.filter(({ key }) => key !== '').sort(compare),
  ...all.filter(({ key }) => key === ''),
]

/** Cost without an owner is not a workload. The API sends the largest rows only. */
function countText(own: readonly Contributor[], dimension: string, largest: number | null): string {
  const owned = own.filter(({ name }) => !name.startsWith('__')).length
  if (owned === 0) return ''
  return largest === null
    ? count(owned, wordOf(dimension))
    : `${owned} of the ${count(largest, `largest ${wordOf(dimension)}`)}`
}

const wordOf = (dimension: string) => (dimension === 'workload' || dimension === 'namespace' ? dimension : 'row')

function contributorOf(row: Row, cause: CauseId, by: string): Contributor[] {
  const usd = row.effects.reduce(
    (sum, effect) => (causeOf(effect) === cause ? sum + Number(effect.exact_amount) : sum),
    0,
  )
  if (usd === 0) return []
  const name = row.names[by] ?? ''
  return [{ key: name, name, by, word: shortOwner(name, by), text: factsText(row, cause), usd }]
}
