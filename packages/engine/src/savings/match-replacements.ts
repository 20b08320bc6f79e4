import { groupBy } from '../group-by.ts'
import { SECONDS_PER_DAY } from '../time.ts'
import type { NodeLife } from './node-life.ts'
import { OpenPositions } from './open-positions.ts'

/** The replacement of each node, by uid. */
export type Replacements = ReadonlyMap<string, NodeLife>

/** When a promise named a node, by uid. A replacement starts later. */
export type NamedAt = ReadonlyMap<string, number>

/** A replacement starts up to a day before the node ends, and up to seven days after. */
const SURGE_SECONDS = SECONDS_PER_DAY
const REPLACING_SECONDS = 7 * SECONDS_PER_DAY

/**
 * Pairs each node that started with a node that ended at nearly the same time: first with a node of the same name, then
 * with the nearest node of its pool. Each node replaces at most one node and has at most one replacement. Unnamed nodes
 * count as well: their replacements replace no named node.
 */
export function matchReplacements(lives: readonly NodeLife[], namedAt: NamedAt): Replacements {
  const sameName = matchWithin(groupBy(lives, ({ name }) => name).values(), namedAt)
  const replacing = new Set([...sameName.values()].map(({ uid }) => uid))
  const rest = lives.map((life) => ({ life, canStart: !replacing.has(life.uid), canEnd: !sameName.has(life.uid) }))
  const replacements = new Map(sameName)
  for (const pool of groupBy(rest, ({ life }) => life.pool).values()) {
    const starts = pool.flatMap(({ life, canStart }) => (canStart ? [life] : []))
    const ends = pool.flatMap(({ life, canEnd }) => (canEnd ? [life] : []))
    matchNearest(starts, ends, namedAt, replacements)
  }
  return replacements
}

function matchWithin(groups: Iterable<readonly NodeLife[]>, namedAt: NamedAt): Map<string, NodeLife> {
  const replacements = new Map<string, NodeLife>()
  for (const group of groups) if (group.length > 1) matchNearest(group, group, namedAt, replacements)
  return replacements
}

type End = { readonly life: NodeLife; readonly at: number; readonly isNamed: boolean; readonly openFrom: number }

/**
 * Each start, in order of time, takes the nearest end that is still free. A life is open to starts after its own start
 * and after its promise, so each life opens once: a sweep over the starts is enough.
 */
function matchNearest(
  starts: readonly NodeLife[],
  lives: readonly NodeLife[],
  namedAt: NamedAt,
  replacements: Map<string, NodeLife>,
): void {
  const ends = sortedEnds(lives, namedAt)
  const open = new OpenPositions(ends.length)
  const opening = ends.map((end, position) => ({ position, from: end.openFrom })).sort((a, b) => a.from - b.from)
  let opened = 0
  for (const start of sortedStarts(starts)) {
    for (let next = opening[opened]; next && next.from < start.startedAt; next = opening[++opened]) {
      open.add(next.position)
    }
    const position = nearestEnd(ends, open, start)
    const end = position === null ? undefined : ends[position]
    if (position === null || !end) continue
    open.delete(position)
    replacements.set(end.life.uid, start)
  }
}

function sortedEnds(lives: readonly NodeLife[], namedAt: NamedAt): End[] {
  const ends = lives.flatMap((life): End[] => {
    const { uid, startedAt, endedAt } = life
    if (endedAt === null) return []
    const named = namedAt.get(uid)
    return [{ life, at: endedAt, isNamed: named !== undefined, openFrom: Math.max(startedAt, named ?? startedAt) }]
  })
  return ends.sort((a, b) => a.at - b.at || byNaming(a, b))
}

const sortedStarts = (lives: readonly NodeLife[]) => lives.toSorted((a, b) => a.startedAt - b.startedAt || byUid(a, b))

/** An unnamed node first: the replacement of an unnamed node does not count against a step. */
const byNaming = (a: End, b: End) => Number(a.isNamed) - Number(b.isNamed) || byUid(a.life, b.life)

const byUid = (a: NodeLife, b: NodeLife) => (a.uid < b.uid ? -1 : 1)

/** The position of the free end within the window that is nearest to the start. */
function nearestEnd(ends: readonly End[], open: OpenPositions, { startedAt }: NodeLife): number | null {
  const after = open.firstFrom(lowerBound(ends, startedAt))
  const last = open.lastBelow(after ?? ends.length)
  // Of several ends at one time, the first in order.
  const before = last === null ? null : open.firstFrom(lowerBound(ends, ends[last]?.at ?? 0))
  const candidates = [before, after].flatMap((position) => {
    const end = position === null ? undefined : ends[position]
    return position !== null && end && isWithin(startedAt - end.at) ? [{ position, end }] : []
  })
  const distance = ({ end }: { end: End }) => Math.abs(startedAt - end.at)
  candidates.sort((a, b) => distance(a) - distance(b) || byNaming(a.end, b.end))
  return candidates[0]?.position ?? null
}

const isWithin = (delay: number) => delay >= -SURGE_SECONDS && delay <= REPLACING_SECONDS

/** The first position with an end at or after this time. */
function lowerBound(ends: readonly End[], at: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.at ?? Infinity) < at) low = middle + 1
    else high = middle
  }
  return low
}
