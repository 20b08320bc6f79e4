import type { Explanation } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { explainQuery } from '../../api/queries.ts'
import { sessionQuery } from '../../api/session.ts'
import { exactlyAddedUp } from '../../format/money.ts'
import { Section } from '../../parts/section.tsx'
import { QueryState } from '../../parts/states.tsx'
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
        <Receipt clusterId={clusterId} filter={filter} window={window} />
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
}

/** Loaded on request, because it reads every hour. */
function Receipt({ clusterId, filter, window }: Props) {
  const [isOpen, setOpen] = useState(false)
  const receipt = useQuery({
    ...explainQuery(clusterId, { ...filter, from: window.from, to: window.to }),
    enabled: isOpen,
  })
  return isOpen ? (
    <QueryState query={receipt} what="The receipt">
      {(known) => <Lines receipt={known} />}
    </QueryState>
  ) : (
    <button type="button" className="button" onClick={() => setOpen(true)}>
      Show receipt
    </button>
  )
}

function Lines({ receipt }: { receipt: Explanation }) {
  const lines = receiptLines(receipt)
  const { parts, total } = exactlyAddedUp(lines.map(({ usd }) => usd))
  const columns: Column<ReceiptLine>[] = [
    { header: 'Resource', cell: ({ resource }) => resource },
    { header: 'Class', className: 'whitespace-normal @max-[560px]:hidden', cell: ({ className }) => className },
    { header: 'Quantity', align: 'end', cell: ({ quantity }) => quantity },
    { header: 'Price', align: 'end', cell: ({ price }) => price },
    { header: 'Cost', align: 'end', cell: (_line, index) => parts[index] },
  ]
  return (
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
  )
}
