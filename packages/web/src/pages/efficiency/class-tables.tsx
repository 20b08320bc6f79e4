import type { IdleCosts } from '@plimsoll/contract'
import { useState } from 'react'
import { dollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { ownerName } from '../../format/words.ts'
import { shortName } from '../../parts/change-words.tsx'
import { MiniBar } from '../../parts/money-bar.tsx'
import { amountOf } from '../../parts/money-classes.ts'
import { ShowAll, Table, type Column } from '../../parts/table.tsx'

const nodesShown = 15

export function NamespaceTable({ rows }: { rows: IdleCosts['by_namespace'] }) {
  const named = rows.map((row) => ({ ...row, name: ownerName(row.namespace) }))
  return (
    <Table
      label="By namespace"
      columns={columns('Namespace', named)}
      rows={named}
      rowKey={({ namespace }) => namespace}
    />
  )
}

export function NodeTable({ rows }: { rows: IdleCosts['by_node'] }) {
  const [isAll, setAll] = useState(false)
  const named = rows.map((row) => ({ ...row, name: shortName(ownerName(row.node), 'Node') }))
  const shown = isAll ? named : named.slice(0, nodesShown)
  return (
    <>
      <Table label="By node" columns={columns('Node', named)} rows={shown} rowKey={({ node_uid: uid }) => uid} />
      <ShowAll shown={shown.length} all={named.length} onShow={() => setAll(true)} />
    </>
  )
}

type Classed = IdleCosts['breakdown'] & { name: string; total: number }

function columns<Row extends Classed>(header: string, rows: readonly Row[]): Column<Row>[] {
  const max = Math.max(...rows.map(({ total }) => total))
  return [
    {
      header,
      cell: ({ name }) => (
        <span className="main block max-w-[15ch] truncate phone:max-w-[26ch]" title={name}>
          {name}
        </span>
      ),
    },
    {
      header: <span className="sr-only">Classes</span>,
      className: 'w-[34%] min-w-10 phone:min-w-16',
      cell: (row) => <MiniBar classes={row} max={max} />,
    },
    { header: 'Used, %', align: 'end', cell: (row) => percent(usedShare(row)) },
    { header: 'Idle $', align: 'end', cell: (row) => dollars(row.workload_idle + row.cluster_idle) },
    { header: 'All $', align: 'end', cell: ({ total }) => <b>{dollars(total)}</b> },
  ]
}

/** What nobody asked for cannot be used. */
const usedShare = (row: Classed) => (row.total > row.cluster_idle ? amountOf(row, 'used') / row.total : null)
