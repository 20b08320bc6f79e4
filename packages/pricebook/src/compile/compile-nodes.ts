import type { NodeBody } from '../parse/book-format.ts'
import { nanoPerUsd, parseNanoUsd } from '../money.ts'
import { nodeUsdPerHourMax } from '../parse/table-columns.ts'
import { parseDecimal } from './compile-table.ts'
import type { EvidenceList } from './evidence-list.ts'
import { packRuns } from '../parse/runs.ts'
import type { CsvRow } from './read-csv.ts'

/** One provider's rows as columns per type and matrices per region and type. */
export function compileNodes(
  provider: string,
  rows: CsvRow[],
  evidence: EvidenceList,
  advisor: CsvRow[] = [],
): NodeBody {
  const regions = distinct(rows, 'region')
  const types = distinct(rows, 'instance_type')
  const typeRows = new Map(rows.map((row) => [field(row, 'instance_type'), row]))
  const cells = cellsOf(regions, types, rows)
  const prices = (name: string) => cells.map((row) => (row ? nodeNanoUsd(row, name) : 0))
  const onDemand = prices('on_demand_usd_hour')
  const spot = prices('spot_usd_hour')
  const unitNanoUsd = [...onDemand, ...spot].every((price) => price % 1000 === 0) ? 1000 : 1

  const perType = <T>(read: (row: CsvRow) => T) => types.map((type) => read(typeRows.get(type) ?? {}))
  const perCell = (read: (row: CsvRow) => number) => packRuns(cells.map((row) => (row ? read(row) : 0)))
  const bands = new Map(advisor.map((row) => [cellKey(row), Number(field(row, 'interruption_band')) + 1]))
  return {
    provider,
    regions,
    types,
    arch: perType((row) => field(row, 'arch')),
    vcpu: perType((row) => amount(row, 'vcpu')),
    memoryGib: perType((row) => amount(row, 'memory_gib')),
    gpuCount: perType((row) => amount(row, 'gpu_count')),
    gpuType: perType((row) => field(row, 'gpu_type') || null),
    // Scaleway sells instance types with a Windows licence under separate names; no other table here has Windows
    // prices.
    windows: packRuns(types.map((type) => (type.endsWith('-WIN') ? 1 : 0))),
    unitNanoUsd,
    onDemand: packRuns(onDemand.map((price) => price / unitNanoUsd)),
    spot: packRuns(spot.map((price) => price / unitNanoUsd)),
    evidence: perCell((row) => evidence.indexOf(field(row, 'source'), field(row, 'as_of'))),
    spotEvidence: perCell((row) => (field(row, 'spot_usd_hour') ? evidence.indexOfSpot(row) : 0)),
    interruption: perCell((row) => bands.get(cellKey(row)) ?? 0),
  }
}

function cellsOf(regions: string[], types: string[], rows: CsvRow[]): (CsvRow | undefined)[] {
  const byCell = new Map(rows.map((row) => [cellKey(row), row]))
  if (byCell.size !== rows.length) throw new Error('a type is listed twice in one region')
  return regions.flatMap((region) => types.map((type) => byCell.get(`${region}|${type}`)))
}

function cellKey(row: CsvRow): string {
  return `${field(row, 'region')}|${field(row, 'instance_type')}`
}

/** A listed node has a price above 0, because 0 means not listed. Vendors do not list free instance types. */
function nodeNanoUsd(row: CsvRow, name: string): number {
  const text = field(row, name)
  if (text === '' && name === 'spot_usd_hour') return 0
  const price = parseNanoUsd(text)
  if (price === 0 || price > nodeUsdPerHourMax * nanoPerUsd) {
    throw new RangeError(`${cellKey(row)}: ${name} of ${text} is implausible`)
  }
  return price
}

/** The upstream list writes 0 for values that it rounded down (Standard_B1ls has half a GiB): unknown. */
function amount(row: CsvRow, name: string): number | null {
  const text = field(row, name)
  return text === '' || Number(text) === 0 ? null : parseDecimal(text)
}

function field(row: CsvRow, name: string): string {
  return row[name] ?? ''
}

function distinct(rows: CsvRow[], name: string): string[] {
  return [...new Set(rows.map((row) => field(row, name)))].sort()
}
