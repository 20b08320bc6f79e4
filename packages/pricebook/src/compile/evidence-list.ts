import type { BookSource } from '../parse/book-format.ts'
import type { CsvRow } from './read-csv.ts'

/** Collects the pairs of source and date of the prices. Index 0 means none. */
export type EvidenceList = {
  pairs: [string, string][]
  indexOf: (source: string, asOf: string) => number
  indexOfSpot: (row: CsvRow) => number
}

export function collectEvidence(sources: Record<string, BookSource>): EvidenceList {
  const pairs: [string, string][] = [['', '']]
  const positions = new Map<string, number>()

  function indexOf(source: string, asOf: string): number {
    if (!sources[source]) throw new Error(`source '${source}' is not in sources.json`)
    const key = `${source}|${asOf}`
    const known = positions.get(key) ?? pairs.push([source, asOf]) - 1
    positions.set(key, known)
    return known
  }

  /** The date of a row belongs to its list price; a spot price from another source has the date of that source. */
  function indexOfSpot(row: CsvRow): number {
    const source = row.spot_source ?? ''
    return indexOf(source, source === row.source ? (row.as_of ?? '') : (sources[source]?.asOf ?? ''))
  }

  return { pairs, indexOf, indexOfSpot }
}
