const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [open, close, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Streams a JSON object with one long list, entry by entry, so that neither the text nor all entries are in memory. The
 * list is the array at `listDepth`: 1 for `{"items": […]}`, 2 for `{"data": {"result": […]}}`. Returns everything
 * around the list. Throws if the text ends early.
 */
export async function readList(
  chunks: AsyncIterable<Uint8Array>,
  onEntry: (entry: unknown) => void,
  listDepth = 1,
): Promise<unknown> {
  const reader = new ListReader(onEntry, listDepth)
  for await (const chunk of chunks) reader.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  return reader.finish()
}

class ListReader {
  readonly #onEntry: (entry: unknown) => void
  readonly #listDepth: number
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isInList = false
  /** The pieces of the current entry, or of the text around the list. */
  #pieces: Buffer[] = []
  #around: Buffer[] = []

  constructor(onEntry: (entry: unknown) => void, listDepth: number) {
    this.#onEntry = onEntry
    this.#listDepth = listDepth
  }

  take(chunk: Buffer): void {
    /** The start of the current piece in this chunk. */
    let start = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at)
        continue
      }
      const byte = chunk[at]
      at += 1
      if (byte === quote) this.#isInString = true
      else if (byte === open || byte === openList) {
        this.#depth += 1
        if (byte === openList && this.#depth === this.#listDepth + 1 && !this.#isInList)
          start = this.#enter(chunk, start, at)
      } else if (byte === close || byte === closeList) {
        this.#depth -= 1
        if (!this.#isInList) continue
        if (this.#depth === this.#listDepth + 1 && byte === close) start = this.#entry(chunk, start, at)
        else if (this.#depth === this.#listDepth) start = this.#leave(at)
      } else if (byte === comma && this.#isInList && this.#depth === this.#listDepth + 1) start = at
    }
    if (start < chunk.length) (this.#isInList ? this.#pieces : this.#around).push(chunk.subarray(start))
  }

  finish(): unknown {
    const around = Buffer.concat(this.#around).toString()
    if (this.#depth !== 0 || this.#isInString || around.trim() === '') throw new Error('the response is incomplete')
    return JSON.parse(around)
  }

  #enter(chunk: Buffer, start: number, at: number): number {
    this.#isInList = true
    this.#around.push(chunk.subarray(start, at))
    return at
  }

  #entry(chunk: Buffer, start: number, at: number): number {
    const text =
      this.#pieces.length === 0
        ? chunk.toString('utf8', start, at)
        : Buffer.concat([...this.#pieces, chunk.subarray(start, at)]).toString()
    this.#pieces = []
    this.#onEntry(JSON.parse(text))
    return at
  }

  #leave(at: number): number {
    this.#isInList = false
    this.#pieces = []
    return at - 1
  }

  /** Returns the index after the end of the string or of the chunk. */
  #skipString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (chunk[at] === backslash) this.#isEscaped = true
      else if (chunk[at] === quote) {
        this.#isInString = false
        return at + 1
      }
    }
    return chunk.length
  }
}
