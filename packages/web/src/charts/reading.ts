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
const movingKeys = new Set(['PageUp', 'PageDown', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

export type Point = { x: number; y: number }

/** The place nearest to a position, in two dimensions. */
export function nearestPoint({ x, y }: Point, places: readonly Point[]): number {
  let nearest = 0
  let least = Infinity
  for (const [index, place] of places.entries()) {
    const distance = (place.x - x) ** 2 + (place.y - y) ** 2
    if (distance >= least) continue
    nearest = index
    least = distance
  }
  return nearest
}

export type Box = { x: number; y: number; width: number; height: number }

/** The box that contains a position, or else the one with the nearest center. */
export function boxAt({ x, y }: Point, boxes: readonly Box[]): number {
  const inside = boxes.findIndex((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height)
  return inside >= 0 ? inside : nearestPoint({ x, y }, boxes.map(centerOf))
}

export const centerOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })

/** The step that a key leads to; undefined for other keys. Without a step, the arrows start at `start`. */
export function stepForKey(
  key: string,
  at: number | null,
  count: number,
  start: 'first' | 'last' = 'last',
): number | null | undefined {
  if (at === null && movingKeys.has(key)) return start === 'last' ? count - 1 : 0
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
