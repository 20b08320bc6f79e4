import type { TableName } from './table-columns.ts'

/** The file is brotli over a header line, a line feed and the body. The hash covers the bytes of the body. */
export const bookFormat = 'plimsoll-pricebook'
export const bookSchemaVersion = 1

export type BookHeader = { format: string; schemaVersion: number; version: string; asOf: string; sha256: string }

/** The date comes first, so that versions sort by age; then the content, so that versions are unique. */
export function bookVersion(asOf: string, sha256: string): string {
  return `${asOf}-${sha256.slice(0, 12)}`
}

export type BookSource = { repo: string; path: string; commit: string; asOf: string; licence: string; taken: string }

/** Each word once, then an index per row; -1 is absent. */
export type TextColumn = { words: string[]; at: number[] }
export type NumberColumn = (number | null)[]
export type TableBody = Record<string, TextColumn | NumberColumn>

/** Integers from 0, packed as in `runs.ts`. */
export type PackedRuns = number[]

/**
 * The instance types of a provider. Per type: its properties. Per region and type, region after region: the price in
 * units of `unitNanoUsd`, 0 if not listed; and the index of its `evidence`, 0 if there is none.
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
  /** 1 if the price includes a Windows licence. */
  windows: PackedRuns
  unitNanoUsd: number
  onDemand: PackedRuns
  spot: PackedRuns
  evidence: PackedRuns
  spotEvidence: PackedRuns
  /** 1 + the band of the AWS Spot Advisor; 0: none. */
  interruption: PackedRuns
}

export type BookBody = {
  sources: Record<string, BookSource>
  /** [source, as of]; index 0 is not used. */
  evidence: [string, string][]
  nodes: NodeBody[]
  tables: Record<TableName, TableBody>
}
