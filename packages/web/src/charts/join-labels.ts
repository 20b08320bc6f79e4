export type Join = { x: number; words: string }

export type JoinLabel = Join & {
  /** Before its line stands at the top, for the curve comes from below; behind it at the foot, for the curve is above. */
  side: 'before' | 'behind'
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

/** Where the words about each join have room. */
export function placeJoinLabels(joins: readonly Join[], left: number): JoinLabel[] {
  const placed: (JoinLabel & { from: number; to: number })[] = []
  for (const { x, words } of joins) {
    const width = gap + letterWidth * words.length
    const side = x - width < left ? 'behind' : 'before'
    const [from, to] = side === 'before' ? [x - width, x] : [x, x + width]
    const taken = placed.filter((each) => each.side === side && each.from < to && from < each.to)
    placed.push({ x, words, side, line: firstFree(taken.map(({ line }) => line)), from, to })
  }
  return placed.map(({ x, words, side, line }) => ({ x, words, side, line }))
}

function firstFree(taken: readonly number[]): number {
  let line = 0
  while (taken.includes(line)) line += 1
  return line
}
