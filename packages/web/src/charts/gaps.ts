/** Steps of a chart, first and last included. */
export type Stretch = { first: number; last: number }

/** Runs of steps that have data. */
export function knownStretches(known: readonly boolean[]): Stretch[] {
  const stretches: Stretch[] = []
  known.forEach((isKnown, index) => {
    const open = stretches.at(-1)
    if (!isKnown) return
    if (open?.last === index - 1) open.last = index
    else stretches.push({ first: index, last: index })
  })
  return stretches
}

/** The drawn extent of a run, in steps. A single step is half a step wide, because a point has no area. */
export function pointsOf({ first, last }: Stretch, steps: number): { index: number; at: number }[] {
  const within = (at: number) => Math.max(0, Math.min(at, Math.max(1, steps - 1)))
  if (first === last) return [-0.25, 0.25].map((aside) => ({ index: first, at: within(first + aside) }))
  return Array.from({ length: last - first + 1 }, (_each, offset) => ({ index: first + offset, at: first + offset }))
}

/** The gaps before, between and after the runs, in steps. */
export function gapsOf(known: readonly boolean[]): { from: number; to: number }[] {
  const drawn = knownStretches(known).map((stretch) => pointsOf(stretch, known.length).map(({ at }) => at))
  const ends = [0, ...drawn.map((points) => points.at(-1) ?? 0)]
  const begins = [...drawn.map(([at = 0]) => at), known.length - 1]
  return ends.map((from, index) => ({ from, to: begins[index] ?? from })).filter(({ from, to }) => to > from)
}
