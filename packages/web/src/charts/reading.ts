export type ReadingLine = { name: string; value: string; colour?: string; isHatched?: boolean; isSum?: boolean }

/** What a chart shows at one step. */
export type Reading = { title: string; lines: readonly ReadingLine[] }

export const readingText = ({ title, lines }: Reading) =>
  `${title}: ${lines.map(({ name, value }) => `${name} ${value}`).join(', ')}`

/** The step nearest to a position. Steps lie from left to right. */
export function nearestStep(position: number, count: number, x: (index: number) => number): number {
  let nearest = 0
  for (let index = 1; index < count; index += 1) {
    if (Math.abs(x(index) - position) < Math.abs(x(nearest) - position)) nearest = index
  }
  return nearest
}

const pageSteps = 7

/** The step that a key leads to; undefined for other keys. Without a step, the arrows start at the last one. */
export function stepForKey(key: string, at: number | null, count: number): number | null | undefined {
  const last = count - 1
  if (key === 'Escape') return null
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'PageUp') return at === null ? last : Math.min(last, at + pageSteps)
  if (key === 'PageDown') return at === null ? last : Math.max(0, at - pageSteps)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at === null ? last : Math.max(0, at - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return at === null ? last : Math.min(last, at + 1)
  return undefined
}
