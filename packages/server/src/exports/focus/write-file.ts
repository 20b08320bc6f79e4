import { CsvLines, type FocusRow } from '@plimsoll/engine/focus'
import type { ByteSink } from './byte-sink.ts'
import type { FocusRequest, FocusTotals } from './focus-request.ts'
import { ParquetFile } from './parquet-file.ts'
import { readRows } from './read-rows.ts'
import { TotalsCounter } from './totals.ts'

type Source = Parameters<typeof readRows>[0]

/** Writes the file of a request. */
export async function writeFocusFile(source: Source, request: FocusRequest, sink: ByteSink): Promise<FocusTotals> {
  const counter = new TotalsCounter()
  const writer = request.format === 'csv' ? new CsvFile(request, sink) : new ParquetFile(request, sink)
  for await (const rows of readRows(source, request, counter)) await writer.add(rows)
  await writer.end(counter.totals)
  return counter.totals
}

const charsAtOnce = 256 * 1024

class CsvFile {
  readonly #lines: CsvLines
  readonly #sink: ByteSink
  #text: string

  constructor({ version }: FocusRequest, sink: ByteSink) {
    this.#lines = new CsvLines(version)
    this.#sink = sink
    this.#text = this.#lines.header
  }

  async add(rows: readonly FocusRow[]): Promise<void> {
    for (const row of rows) {
      this.#text += this.#lines.line(row)
      if (this.#text.length >= charsAtOnce) await this.#flush()
    }
  }

  async end(): Promise<void> {
    await this.#flush()
  }

  async #flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    if (text !== '') await this.#sink.write(Buffer.from(text))
  }
}
