export type Join = { x: number; words: string }

export type JoinLabel = Join & {
  /** The side of the line. */
  side: 'before' | 'behind'
  /** Before the line there is space at the top, because the curve rises from below; after it, at the bottom. */
  edge: 'top' | 'foot'
  /** Overlapping labels get separate lines, counted from their edge. */
  line: number
}

const letterWidth = 6.4
const gap = 6

/** The names of up to two clusters, otherwise their number. */
export function joinWords(names: readonly string[]): string {
  if (names.length > 2) return `${names.length} clusters: first data`
  return names.length === 2 ? `${names.join(' and ')}: first data` : `${names[0] ?? ''}: first data`
}

type Bounds = { left: number; right: number }

/** The position of each label, in order of time. */
export function placeJoinLabels(joins: readonly Join[], { left, right }: Bounds): JoinLabel[] {
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
