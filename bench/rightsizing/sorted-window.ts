/** The sorted samples of a moving window. A short move shifts the samples, a long move sorts again. */
export class SortedWindow {
  private readonly source: Float32Array
  private from: number
  private to: number
  private length: number
  private readonly sorted: Float32Array

  constructor(source: Float32Array, from: number, to: number) {
    this.source = source
    this.from = from
    this.to = to
    const known = source.slice(from, to).filter((value) => !Number.isNaN(value))
    this.length = known.length
    // Windows grow at the start of a recording, so there is spare space for growth and one move.
    this.sorted = new Float32Array(2 * (to - from) + 64)
    this.sorted.set(known.sort())
  }

  get values(): Float32Array {
    return this.sorted.subarray(0, this.length)
  }

  isNear(from: number, to: number): boolean {
    const moves = to - this.to + (from - this.from)
    return from >= this.from && to >= this.to && moves <= 64 && this.length + moves < this.sorted.length
  }

  moveTo(from: number, to: number): Float32Array {
    for (; this.from < from; this.from++) this.remove(this.source[this.from] ?? Number.NaN)
    for (; this.to < to; this.to++) this.insert(this.source[this.to] ?? Number.NaN)
    return this.values
  }

  private insert(value: number): void {
    if (Number.isNaN(value)) return
    const at = this.find(value)
    this.sorted.copyWithin(at + 1, at, this.length)
    this.sorted[at] = value
    this.length++
  }

  private remove(value: number): void {
    if (Number.isNaN(value)) return
    const at = this.find(value)
    this.sorted.copyWithin(at, at + 1, this.length)
    this.length--
  }

  private find(value: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.sorted[middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    return low
  }
}
