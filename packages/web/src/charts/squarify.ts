export type Place = { x: number; y: number; width: number; height: number }

/**
 * Areas that are to each other as the values, largest first, as close to squares as rows of them allow: a row takes one
 * more as long as its worst one gets no thinner. Values that are not positive have no area.
 */
export function squarify(values: readonly number[], whole: Place): Place[] {
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  if (total <= 0) return values.map(() => ({ ...whole, width: 0, height: 0 }))
  const scale = (whole.width * whole.height) / total
  const areas = values.map((value) => Math.max(0, value) * scale)
  const places: Place[] = []
  let left = whole
  while (places.length < areas.length) {
    const row = nextRow(areas.slice(places.length), Math.min(left.width, left.height))
    const laid = layRow(row, left)
    places.push(...laid.places)
    left = laid.left
  }
  return places
}

function nextRow(areas: readonly number[], side: number): number[] {
  const row = areas.slice(0, 1)
  for (const area of areas.slice(1)) {
    if (area <= 0 || worst([...row, area], side) > worst(row, side)) break
    row.push(area)
  }
  return row
}

/** How far the worst of a row is from a square. */
function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((total, area) => total + area, 0)
  const depth = sum / side
  return Math.max(...row.map((area) => Math.max(depth ** 2 / area, area / depth ** 2)))
}

function layRow(row: readonly number[], left: Place): { places: Place[]; left: Place } {
  const sum = row.reduce((total, area) => total + area, 0)
  const isColumn = left.width >= left.height
  const [side, depthMax] = isColumn ? [left.height, left.width] : [left.width, left.height]
  const depth = side > 0 ? Math.min(sum / side, depthMax) : 0
  let at = isColumn ? left.y : left.x
  const places = row.map((area) => {
    // By its share of the row, not by its area: where next to nothing is left, rounding would carry it outside.
    const length = sum > 0 ? (side * area) / sum : 0
    const place = isColumn
      ? { x: left.x, y: at, width: depth, height: length }
      : { x: at, y: left.y, width: length, height: depth }
    at += length
    return place
  })
  const rest = isColumn
    ? { ...left, x: left.x + depth, width: left.width - depth }
    : { ...left, y: left.y + depth, height: left.height - depth }
  return { places, left: rest }
}
