import { expect, test } from 'vitest'
import { tableCsv, periodAndCluster } from './table-csv.ts'
import type { Column } from './table.tsx'

type Row = { name: string; usd: number | null }

const columns: Column<Row>[] = [
  { header: 'Name', cell: ({ name }) => name.slice(0, 3), csv: ({ name }) => name },
  { header: 'Bar', cell: () => 'bar' },
  { header: 'Cost', csvHeader: 'Cost $', cell: ({ usd }) => usd?.toFixed(0), csv: ({ usd }) => usd },
]

test('the file has the columns with a value in the order of the screen, after the period and the cluster', () => {
  const rows = [
    { name: 'long-name', usd: 1.23456789 },
    { name: 'unknown', usd: null },
  ]
  const window = { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z' }
  expect(tableCsv(columns, rows, periodAndCluster(window, 'prod'))).toEqual([
    ['From', 'To', 'Cluster', 'Name', 'Cost $'],
    [window.from, window.to, 'prod', 'long-name', '1.23456789'],
    [window.from, window.to, 'prod', 'unknown', ''],
  ])
})
