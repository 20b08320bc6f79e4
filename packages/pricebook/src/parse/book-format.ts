import type { TableName } from './table-columns.ts'

/** The file is brotli over a line with the header, a line feed and the body. The hash is that of the body's bytes. */
export const bookFormat = 'plimsoll-pricebook'
export const bookSchemaVersion = 1

export type BookHeader = { format: string; schemaVersion: number; version: string; asOf: string; sha256: string }

/** Date first, so that versions sort by age; then the content, so that two books never share a version. */
export function bookVersion(asOf: string, sha256: string): string {
  return `${asOf}-${sha256.slice(0, 12)}`
}

export type BookSource = { repo: string; path: string; commit: string; asOf: string; licence: string; taken: string }

/** Words once, then a position per row; -1 is absent. */
export type TextColumn = { words: string[]; at: number[] }
export type NumberColumn = (number | null)[]
export type TableBody = Record<string, TextColumn | NumberColumn>

/** Whole numbers from 0, packed as in `runs.ts`. */
export type PackedRuns = number[]

/**
 * The machines of a provider. Per type: what it is. Per region and type, region after region: what it costs, in units of
 * `unitNanoUsd`, 0 where it is not listed; and which pair of `evidence` says so, 0 where there is none.
 */
export type NodeBody = {
  provider: string
  regions: string[]
  types: string[]
  arch: string[]
  vcpu: NumberColumn
  memoryGib: NumberColumn
  gpuCount: NumberColumn
  gpuType: (string | null)[]
  /** 1 where the price includes a Windows licence. */
  windows: PackedRuns
  unitNanoUsd: number
  onDemand: PackedRuns
  spot: PackedRuns
  evidence: PackedRuns
  spotEvidence: PackedRuns
  /** 1 + the band of the AWS Spot Advisor, 0 where there is none. */
  interruption: PackedRuns
}

export type BookBody = {
  sources: Record<string, BookSource>
  /** [source, as of]; position 0 is not used. */
  evidence: [string, string][]
  nodes: NodeBody[]
  tables: Record<TableName, TableBody>
}
