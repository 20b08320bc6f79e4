import type { BookSource } from './parse/book-format.ts'
import type { Evidence } from './price.ts'
import type { Row } from './parse/table-columns.ts'

/** The capacity by the vendor. Absent: unknown, so use the capacity of the node. */
export type NominalCapacity = {
  arch?: string
  vcpu?: number
  memoryGib?: number
  gpuCount?: number
  gpuType?: string
}

/**
 * Instance types with prices, region after region: the price of type t in region r is at r · types.size + t, 0 if not
 * listed.
 */
export type NodeBlock = {
  regions: ReadonlyMap<string, number>
  /** By name in lower case, because labels and users spell Standard_D4s_v5 differently. */
  types: ReadonlyMap<string, number>
  typeNames: readonly string[]
  nominalOf: (type: number) => NominalCapacity
  /** 1 if the price includes a Windows licence; all other prices are for Linux. */
  isWindows: Uint8Array
  onDemandNanoUsd: Float64Array
  spotNanoUsd: Float64Array
  evidence: Uint8Array
  spotEvidence: Uint8Array
  interruption: Uint8Array
}

/** Row numbers by a key of names joined with '|', in lower case; a row is built on request. */
export type Table<T> = { rowsOf: (key: string) => readonly number[]; rowAt: (row: number) => T }

export type PriceBook = {
  version: string
  schemaVersion: number
  asOf: string
  sources: Readonly<Record<string, BookSource>>
  evidence: readonly Evidence[]
  nodes: ReadonlyMap<string, readonly NodeBlock[]>
  storage: Table<Row<'storage'>>
  network: Table<Row<'network'>>
  controlPlane: Table<Row<'controlPlane'>>
  serverless: Table<Row<'serverless'>>
  fallback: Table<Row<'fallback'>>
  spotRatios: Table<Row<'spotRatios'>>
  commitments: Table<Row<'commitments'>>
  components: Table<Row<'components'>>
  gpuAddons: Table<Row<'gpuAddons'>>
  gpuRates: Table<Row<'gpuRates'>>
  eniLimits: Table<Row<'eniLimits'>>
}

export function keyOf(...names: string[]): string {
  return names.join('|').toLowerCase()
}

export function listRows<T>(table: Table<T>, ...names: string[]): T[] {
  return table.rowsOf(keyOf(...names)).map((row) => table.rowAt(row))
}

export function findRow<T>(table: Table<T>, ...names: string[]): T | undefined {
  const [row] = table.rowsOf(keyOf(...names))
  return row === undefined ? undefined : table.rowAt(row)
}
