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

/** A name keeps its colour when others change their place: the colour follows the name, not the rank. */
export function colourOf(name: string, named: readonly string[]): Colour {
  const place = places(named).get(name)
  return place === undefined ? others : { fill: `var(--cat-${place + 1})`, ink: `var(--cat-${place + 1}-ink)` }
}

/** Names in order of their text take the colour of their hash, or the next free one. */
function places(named: readonly string[]): Map<string, number> {
  const taken = new Map<string, number>()
  const used = new Set<number>()
  for (const name of [...named].sort()) {
    let place = hashOf(name) % namedMax
    while (used.has(place) && used.size < namedMax) place = (place + 1) % namedMax
    used.add(place)
    taken.set(name, place)
  }
  return taken
}

const hashOf = (text: string) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7)
