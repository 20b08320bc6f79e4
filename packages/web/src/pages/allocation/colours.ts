import type { Allocation } from '@plimsoll/contract'

const namedMax = 8

export type Colour = { fill: string; ink: string }

const others: Colour = { fill: 'var(--ink-3)', ink: 'var(--surface)' }

/** The names with their own colour, largest first; the same in area chart, treemap and table. */
export function namesWithColour({ steps }: Allocation, by: string): string[] {
  const totals = new Map<string, number>()
  for (const { rows } of steps) {
    for (const { names, cost } of rows) totals.set(names[by] ?? '', (totals.get(names[by] ?? '') ?? 0) + cost.total)
  }
  return [...totals]
    .sort(([, a], [, b]) => b - a)
    .slice(0, namedMax)
    .map(([name]) => name)
}

export function colourOf(name: string, named: readonly string[]): Colour {
  const place = named.indexOf(name) + 1
  return place === 0 ? others : { fill: `var(--cat-${place})`, ink: `var(--cat-${place}-ink)` }
}
