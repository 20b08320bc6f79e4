/** Non-negative integers, seven bits per byte, lowest bits first. Small numbers take one byte. */
export class VarintWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0

  write(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow()
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length] = (rest % 128) | 128
      this.#length += 1
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length] = rest
    this.#length += 1
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(): void {
    const bytes = Buffer.allocUnsafe(2 * this.#bytes.length)
    this.#bytes.copy(bytes, 0, 0, this.#length)
    this.#bytes = bytes
  }
}

export class VarintReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  read(): number {
    let value = 0
    let weight = 1
    for (;;) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw new Error('the bytes end inside a number')
      this.#at += 1
      value += (byte & 127) * weight
      if (byte < 128) return value
      weight *= 128
    }
  }
}
