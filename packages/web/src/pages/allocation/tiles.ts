import type { Allocation } from '@plimsoll/contract'
import type { Tile } from '../../charts/treemap.tsx'
import { ownerName } from '../../format/labels.ts'
import { dollars } from '../../format/money.ts'
import { colourOf } from './colours.ts'
import { costTable } from './cost-table.ts'
import { shortOwner } from './owner.ts'

const shownMax = 24
/** A smaller tile has no space for a name. */
const smallestShare = 0.015

/** The largest owners, one tile for all small ones, and cost without an owner. */
export function tilesOf({ steps: [step] }: Allocation, by: string, named: readonly string[]): Tile[] {
  if (!step) return []
  const { rows, shown } = costTable(step, by)
  const amounts = new Map(rows.map(({ name }, index) => [name, shown.rows[index]]))
  const owned = step.rows.map(({ names, cost }) => ({ key: names[by] ?? '', value: cost.total }))
  const least = smallestShare * owned.reduce((sum, { value }) => sum + value, step.rest.cost.total)
  const isLarge = ({ value }: { value: number }, index: number) => index < shownMax && value >= least
  const large = owned.filter(isLarge)
  const small = owned.reduce((sum, each, index) => sum + (isLarge(each, index) ? 0 : each.value), step.rest.cost.total)
  const unowned = (['idle', 'unmounted', 'unattached', 'overhead'] as const).map((kind) => ({
    key: `__${kind}__`,
    name: ownerName(`__${kind}__`),
    value: step[kind]?.total ?? 0,
    colour: 'var(--unallocated)',
    ink: 'var(--ink)',
    isHatched: true,
  }))
  const drawn = [...large, { key: '__other__', value: small }].map(({ key, value }) => {
    const { fill, ink } = colourOf(key, named)
    return { key, name: shortOwner(key, by), value, colour: fill, ink }
  })
  const isGathered = owned.length > large.length
  return [...drawn, ...unowned]
    .filter(({ value }) => value > 0)
    .map((tile) => ({
      ...tile,
      amount: (tile.key === '__other__' && isGathered ? undefined : amounts.get(tile.key)) ?? dollars(tile.value),
    }))
}
