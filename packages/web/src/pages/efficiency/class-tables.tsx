import type { IdleCosts } from '@plimsoll/contract'
import { useState } from 'react'
import { addedUpTable, type AddedUpTable } from '../../format/money.ts'
import type { PinnedRow } from '../../format/round.ts'
import { count, percent } from '../../format/quantity.ts'
import { ownerName } from '../../format/labels.ts'
import { shortName } from '../../parts/change-text.tsx'
import { MiniBar } from '../../parts/money-bar.tsx'
import { amountOf } from '../../parts/money-classes.ts'
import { tableCsv, type LeadColumn } from '../../parts/table-csv.ts'
import { ShowAll, Table, type Column } from '../../parts/table.tsx'
import { classAmounts } from './class-amounts.ts'

const nodesShown = 15

export function NamespaceTable({ costs }: { costs: IdleCosts }) {
  const named = namedNamespaces(costs)
  const row = named.findIndex(({ namespace }) => namespace === '__idle__')
  const shown = amountsOf(
    named,
    row === -1 ? undefined : { row, units: classAmounts(costs.breakdown).unallocatedUnits },
  )
  return (
    <Table
      label="By namespace"
      columns={columns(namespaceWords, named, shown)}
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
        columns={columns(nodeWords, named, shown)}
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

const namespaceWords = { name: 'Namespace', share: 'Efficiency' }

/** The cost of a node includes unallocated capacity, so its used share is not the efficiency of its workloads. */
const nodeWords = { name: 'Node', share: 'Used share' }

const namedNamespaces = (costs: IdleCosts) =>
  costs.by_namespace.map((row) => ({ ...row, name: ownerName(row.namespace) }))

const noAmounts = addedUpTable([])

export const namespaceCsv = (costs: IdleCosts, lead: readonly LeadColumn<unknown>[]) =>
  tableCsv(columns<Classed>(namespaceWords, [], noAmounts), namedNamespaces(costs), lead)

/** The whole names: the screen shortens them. */
export const nodeCsv = (costs: IdleCosts, lead: readonly LeadColumn<unknown>[]) =>
  tableCsv(
    columns<Classed>(nodeWords, [], noAmounts),
    costs.by_node.map((row) => ({ ...row, name: ownerName(row.node) })),
    lead,
  )

type Classed = IdleCosts['breakdown'] & { name: string; total: number }

/** Cost without and with idle; the table shows idle and total. */
const amountsOf = (rows: readonly Classed[], pinned?: PinnedRow) =>
  addedUpTable(
    rows.map((row) => [row.workload, idleOf(row)]),
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

type Words = { name: string; share: string }

function columns<Row extends Classed>(words: Words, rows: readonly Row[], shown: AddedUpTable): Column<Row>[] {
  const max = Math.max(...rows.map(({ total }) => total))
  return [
    {
      header: words.name,
      csv: ({ name }) => name,
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
    { header: words.share, align: 'end', cell: (row) => percent(usedShare(row)), csv: usedShare },
    { header: 'Idle $', align: 'end', cell: (_row, index) => shown.cells[index]?.[1], csv: idleOf },
    { header: 'Total $', align: 'end', cell: (_row, index) => <b>{shown.rows[index]}</b>, csv: ({ total }) => total },
  ]
}

const idleOf = ({ workload_idle: unused, cluster_idle: unallocated }: Classed) => unused + unallocated

/** Null if the row is only unallocated or unmeasured cost. */
const usedShare = (row: Classed) =>
  row.total > row.cluster_idle + row.unmeasured ? amountOf(row, 'used') / (row.total - row.unmeasured) : null
