import type { Explanation } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { explainQuery } from '../../api/queries.ts'
import { sessionQuery } from '../../api/session.ts'
import { useClusterName } from '../../api/cluster-name.ts'
import { exactlyAddedUp } from '../../format/money.ts'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { Section } from '../../parts/section.tsx'
import { QueryState } from '../../parts/states.tsx'
import { periodAndCluster, tableCsv, type LeadColumn } from '../../parts/table-csv.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { missingReceipt } from './missing-receipt.ts'
import type { Owner } from './owner-question.ts'
import { receiptLines, type ReceiptLine } from './receipt-lines.ts'

type Window = { from: string; to: string }

/** Quantity × price behind the cost of a workload or namespace. */
export function OwnerReceipt({
  owner,
  clusterIds,
  window,
}: {
  owner: Owner
  clusterIds: readonly string[]
  window: Window
}) {
  const { data: me } = useQuery(sessionQuery)
  if (!me) return null
  const missing = missingReceipt(owner, clusterIds, me)
  const [clusterId = ''] = clusterIds
  const filter = owner.kind === 'workloads' ? { workload: owner.name } : { namespace: owner.name }
  return (
    <Section title="Receipt" end={missing === null ? 'Each amount is quantity × price' : undefined}>
      {missing === null ? (
        <Receipt clusterId={clusterId} filter={filter} window={window} owner={owner} />
      ) : (
        <p className="py-2 text-ink-3">{missing}</p>
      )}
    </Section>
  )
}

type Props = {
  clusterId: string
  filter: { namespace?: string; workload?: string }
  window: Window
  owner: Owner
}

/** Loaded on request, because it reads every hour. */
function Receipt({ clusterId, filter, window, owner }: Props) {
  const [isOpen, setOpen] = useState(false)
  const receipt = useQuery({
    ...explainQuery(clusterId, { ...filter, from: window.from, to: window.to }),
    enabled: isOpen,
  })
  return isOpen ? (
    <QueryState query={receipt} what="The receipt">
      {(known) => <Lines receipt={known} clusterId={clusterId} window={window} owner={owner} />}
    </QueryState>
  ) : (
    <button type="button" className="button" onClick={() => setOpen(true)}>
      Show receipt
    </button>
  )
}

type LinesProps = Omit<Props, 'filter'> & { receipt: Explanation }

function Lines({ receipt, clusterId, window, owner }: LinesProps) {
  const cluster = useClusterName()(clusterId)
  const lines = receiptLines(receipt)
  const { parts, total } = exactlyAddedUp(lines.map(({ usd }) => usd))
  const columns: Column<ReceiptLine>[] = [
    { header: 'Resource', cell: ({ resource }) => resource, csv: ({ resource }) => resource },
    {
      header: 'Class',
      className: 'whitespace-normal @max-[560px]:hidden',
      cell: ({ className }) => className,
      csv: ({ className }) => className,
    },
    { header: 'Quantity', align: 'end', cell: ({ quantity }) => quantity, csv: ({ exact }) => exact.quantity },
    {
      header: 'Price',
      align: 'end',
      cell: ({ price }) => price,
      csvHeader: 'Price $',
      csv: ({ exact }) => exact.price,
    },
    {
      header: 'Cost',
      align: 'end',
      cell: (_line, index) => parts[index],
      csvHeader: 'Cost $',
      csv: ({ exact }) => exact.usd,
    },
  ]
  const lead: LeadColumn<ReceiptLine>[] = [
    ...periodAndCluster(window, cluster),
    [owner.kind === 'workloads' ? 'Workload' : 'Namespace', () => owner.name],
  ]
  return (
    <>
      <Table
        label="Receipt"
        columns={columns}
        rows={lines}
        rowKey={({ key }) => key}
        footer={
          <tr>
            <td>Total</td>
            <td className="@max-[560px]:hidden" />
            <td />
            <td />
            <td className="num">{total}</td>
          </tr>
        }
      />
      <p className="mt-3">
        <DownloadCsv name={`receipt-${owner.name.replaceAll('/', '-')}`} rows={tableCsv(columns, lines, lead)} />
      </p>
    </>
  )
}
