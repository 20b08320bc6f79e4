import { expect, test } from 'vitest'
import { collectEvidence } from './evidence-list.ts'
import { compileNodes } from './compile-nodes.ts'
import { compileTable } from './compile-table.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

const columns = {
  name: { kind: 'text', csv: 'name', optional: false },
  nanoUsd: { kind: 'usd', csv: 'usd', optional: true, max: 10 },
} as const

test('words are stored once, money exactly, and absent values as absent', () => {
  const rows = readCsv('name,usd\na,0.096\n"b, c",\na,10\n')
  expect(compileTable(columns, rows)).toEqual({
    name: { words: ['a', 'b, c'], at: [0, 1, 0] },
    nanoUsd: [96_000_000, null, 10_000_000_000],
  })
})

test.each(['-1', '1e2', 'NaN', '0.0000000001', '10.01', '$1'])('a price of %s stops the compiler', (usd) => {
  expect(() => compileTable(columns, [{ name: 'a', usd }])).toThrow(RangeError)
})

test('a missing column or name stops the compiler', () => {
  expect(() => compileTable(columns, [{ name: 'a' }])).toThrow('column usd is missing')
  expect(() => compileTable(columns, [{ name: '', usd: '1' }])).toThrow('row 2: name is empty')
})

test('a line with a different number of columns stops the reader', () => {
  expect(() => readCsv('a,b\n1,2,3\n')).toThrow('line 2 has 3 fields, not 2')
})

test.each([
  ['a price of 0', { on_demand_usd_hour: '0' }, /implausible/],
  ['an implausible price', { on_demand_usd_hour: '2000.01' }, /implausible/],
  ['a negative price', { on_demand_usd_hour: '-1' }, /not an amount/],
  ['a missing price', { on_demand_usd_hour: '' }, /not an amount/],
  ['an unknown source', { source: 'hearsay' }, /not in sources.json/],
])('%s stops the compiler', (_, change, expected) => {
  expect(() => compileNodes('aws', [aRow(change)], someEvidence())).toThrow(expected)
})

test('a type that is listed twice in a region stops the compiler', () => {
  expect(() => compileNodes('aws', [aRow(), aRow()], someEvidence())).toThrow('listed twice')
})

test('a memory of 0 is unknown', () => {
  expect(compileNodes('azure', [aRow({ memory_gib: '0' })], someEvidence()).memoryGib).toEqual([null])
})

function aRow(change: Record<string, string> = {}): CsvRow {
  const names = { region: 'r', instance_type: 't', arch: 'amd64', source: 's', as_of: '2026-01-01', spot_source: '' }
  const amounts = {
    vcpu: '2',
    memory_gib: '8',
    gpu_count: '',
    gpu_type: '',
    on_demand_usd_hour: '0.1',
    spot_usd_hour: '',
  }
  return { ...names, ...amounts, ...change }
}

function someEvidence() {
  return collectEvidence({ s: { repo: '', path: '', commit: '', asOf: '2026-01-01', licence: '', taken: '' } })
}
