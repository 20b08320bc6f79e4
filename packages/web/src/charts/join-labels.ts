export type Join = { x: number; words: string }

export type JoinLabel = Join & {
  /** On which side of its line it stands. */
  side: 'before' | 'behind'
  /** Before its line there is room at the top, for the curve comes from below; over the curve's next stretch, at the foot. */
  edge: 'top' | 'foot'
  /** Labels that would lie on each other have lines of their own, counted from their edge. */
  line: number
}

const letterWidth = 6.4
const gap = 6

/** Who joins, as long as that is a name or two. */
export function joinWords(names: readonly string[]): string {
  if (names.length > 2) return `${names.length} clusters join`
  return names.length === 2 ? `${names.join(' and ')} join` : `${names[0] ?? ''} joins`
}

type Room = { left: number; right: number }

/** Where the words about each join, in the order of time, have room. */
export function placeJoinLabels(joins: readonly Join[], { left, right }: Room): JoinLabel[] {
  const placed: (JoinLabel & { from: number; to: number })[] = []
  for (const { x, words } of joins) {
    const width = gap + letterWidth * words.length
    const risesAt = placed.at(-1)?.x ?? left
    const edge = x - width < risesAt ? 'foot' : 'top'
    const side = edge === 'top' || x + width > right ? 'before' : 'behind'
    const [from, to] = side === 'before' ? [x - width, x] : [x, x + width]
    const taken = placed.filter((each) => each.edge === edge && each.from < to && from < each.to)
    placed.push({ x, words, side, edge, line: firstFree(taken.map(({ line }) => line)), from, to })
  }
  return placed.map(({ from: _from, to: _to, ...label }) => label)
}

function firstFree(taken: readonly number[]): number {
  let line = 0
  while (taken.includes(line)) line += 1
  return line
}
