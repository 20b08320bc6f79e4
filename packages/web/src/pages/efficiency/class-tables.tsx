import type { IdleCosts } from '@plimsoll/contract'
import { useState } from 'react'
import { addedUpTable, type AddedUpTable } from '../../format/money.ts'
import type { PinnedRow } from '../../format/round.ts'
import { count, percent } from '../../format/quantity.ts'
import { ownerName } from '../../format/labels.ts'
import { shortName } from '../../parts/change-text.tsx'
import { MiniBar } from '../../parts/money-bar.tsx'
import { amountOf } from '../../parts/money-classes.ts'
import { ShowAll, Table, type Column } from '../../parts/table.tsx'
import { classAmounts } from './class-amounts.ts'

const nodesShown = 15

export function NamespaceTable({ costs }: { costs: IdleCosts }) {
  const named = costs.by_namespace.map((row) => ({ ...row, name: ownerName(row.namespace) }))
  const row = named.findIndex(({ namespace }) => namespace === '__idle__')
  const shown = amountsOf(
    named,
    row === -1 ? undefined : { row, units: classAmounts(costs.breakdown).unallocatedUnits },
  )
  return (
    <Table
      label="By namespace"
      columns={columns('Namespace', named, shown)}
      rows={named}
      rowKey={({ namespace }) => namespace}
      footer={<Total shown={shown} />}
    />
  )
}

export function NodeTable({ rows }: { rows: IdleCosts['by_node'] }) {
  const [isAll, setAll] = useState(false)
  const named = rows.map((row) => ({ ...row, name: shortName(ownerName(row.node), 'Node') }))
  const rowsShown = isAll ? named : named.slice(0, nodesShown)
  const shown = amountsOf(named)
  return (
    <>
      <Table
        label="By node"
        columns={columns('Node', named, shown)}
        rows={rowsShown}
        rowKey={({ node_uid: uid }) => uid}
        footer={
          <Total shown={shown} {...(rowsShown.length < named.length ? { of: count(named.length, 'row') } : {})} />
        }
      />
      <ShowAll shown={rowsShown.length} all={named.length} onShow={() => setAll(true)} />
    </>
  )
}

type Classed = IdleCosts['breakdown'] & { name: string; total: number }

/** Cost without and with idle; the table shows idle and total. */
const amountsOf = (rows: readonly Classed[], pinned?: PinnedRow) =>
  addedUpTable(
    rows.map(({ workload, workload_idle: unused, cluster_idle: unallocated }) => [workload, unused + unallocated]),
    pinned,
  )

/** The total of all rows, including hidden rows. */
function Total({ shown, of }: { shown: AddedUpTable; of?: string }) {
  return (
    <tr>
      <td>Total{of !== undefined && ` of ${of}`}</td>
      <td />
      <td />
      <td className="num">{shown.columns[1]}</td>
      <td className="num">{shown.total}</td>
    </tr>
  )
}

function columns<Row extends Classed>(header: string, rows: readonly Row[], shown: AddedUpTable): Column<Row>[] {
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
    { header: 'Efficiency', align: 'end', cell: (row) => percent(usedShare(row)) },
    { header: 'Idle $', align: 'end', cell: (_row, index) => shown.cells[index]?.[1] },
    { header: 'Total $', align: 'end', cell: (_row, index) => <b>{shown.rows[index]}</b> },
  ]
}

/** Null if the row is only unallocated or unmeasured cost. */
const usedShare = (row: Classed) =>
  row.total > row.cluster_idle + row.unmeasured ? amountOf(row, 'used') / (row.total - row.unmeasured) : null
