import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'

export type Place = { x: number; y: number; width: number; height: number }

type Tiles = { value: number; tiles: Tiles[] }

/** Smaller tiles are invisible, and rounding would carry them outside. */
const shareMin = 1e-9

/** Tiles with areas proportional to the values, as close to squares as possible. A value of 0 or less has no area. */
export function layTiles(values: readonly number[], { width, height }: Pick<Place, 'width' | 'height'>): Place[] {
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  const tiles = values.map((value) => ({ value: value < shareMin * total ? 0 : value, tiles: [] }))
  const root = hierarchy<Tiles>({ value: 0, tiles }, (each) => each.tiles).sum(({ value }) => value)
  const layOut = treemap<Tiles>().tile(treemapSquarify.ratio(1)).size([width, height])
  const places = layOut(root).children ?? []
  return places.map(({ x0, y0, x1, y1 }) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }))
}
