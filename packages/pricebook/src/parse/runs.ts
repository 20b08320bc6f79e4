/**
 * Packs integers with many equal neighbours: a negative number −n repeats the previous value n more times, so [7, -2,
 * 0] is 7, 7, 7, 0. A book has some 900,000 cells, most of them empty, so this makes it load fast.
 */
export function packRuns(values: readonly number[]): number[] {
  const packed: number[] = []
  let repeats = 0
  values.forEach((value, at) => {
    if (at > 0 && value === values[at - 1]) {
      repeats += 1
      return
    }
    if (repeats > 0) packed.push(-repeats)
    repeats = 0
    packed.push(value)
  })
  if (repeats > 0) packed.push(-repeats)
  return packed
}

/** Fills `into` completely with values from 0 to `max`. False: `packed` is invalid, and `into` must not be used. */
export function unpackRuns(packed: unknown, max: number, into: Float64Array | Uint8Array, unit = 1): boolean {
  if (!Array.isArray(packed)) return false
  const { length } = into
  let at = 0
  let last = 0
  for (const value of packed as unknown[]) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value > max) return false
    if (value >= 0) {
      last = value * unit
      if (at === length) return false
      into[at++] = last
    } else {
      const end = at - value
      if (at === 0 || end > length) return false
      // Empty cells are already 0.
      if (last !== 0) into.fill(last, at, end)
      at = end
    }
  }
  return at === length
}
