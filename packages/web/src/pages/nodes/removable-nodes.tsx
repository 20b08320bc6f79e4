import type { ClusterNode } from '@plimsoll/contract'
import { useNavigate } from '@tanstack/react-router'
import { addedUp, dollars } from '../../format/money.ts'
import { count, withUnits } from '../../format/quantity.ts'
import { day } from '../../format/time.ts'
import { shortName } from '../../parts/change-text.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'

const savingOf = ({ why_still_here: verdict }: ClusterNode) => verdict?.savings ?? 0

/** The pool has no autoscaler, so a person must remove the node. */
export const isByHand = (verdict: ClusterNode['why_still_here']) => verdict?.code === 'nobody_scales_the_pool'

export const isRemovable = (node: ClusterNode) => node.ended_at === null && savingOf(node) > 0

/** The savings that need manual work: the size of a node group is set at the provider, not in a manifest. */
export function waitsForSomebody(usd: number, total: number): string {
  if (usd <= 0) return ''
  return usd < total
    ? `; ${dollars(usd)}/month require manual removal from the node group`
    : '; requires manual removal from the node group'
}

/** Nodes whose pods fit elsewhere, each with the next step. The savings are computed for all of them together. */
export function RemovableNodes({ nodes }: { nodes: readonly ClusterNode[] }) {
  const navigate = useNavigate({ from: '/nodes' })
  const rows = nodes.filter(isRemovable).sort((a, b) => savingOf(b) - savingOf(a))
  if (rows.length === 0) return null
  const { parts, total: shownTotal } = addedUp(rows.map(savingOf))
  const columns: Column<ClusterNode>[] = [
    {
      header: 'Node',
      cell: ({ uid, name }) => (
        <button
          type="button"
          className="main text-left hover:underline"
          title={name}
          onClick={() => void navigate({ search: (old) => ({ ...old, node: uid }) })}
        >
          {shortName(name, 'Node')}
        </button>
      ),
    },
    { header: 'Pool', cell: ({ pool }) => pool },
    {
      header: 'What to do',
      className: 'wrap min-w-48',
      cell: ({ why_still_here: verdict }) => withUnits(verdict?.message ?? ''),
    },
    { header: 'Created', align: 'end', className: 'max-mid:hidden', cell: ({ first_seen_at: at }) => day(at) },
    { header: '$/month', align: 'end', cell: (_node, index) => <b>{parts[index]}</b> },
  ]
  const sum = (nodes: readonly ClusterNode[]) => nodes.reduce((usd, node) => usd + savingOf(node), 0)
  const total = sum(rows)
  const byHand = sum(rows.filter(({ why_still_here: verdict }) => isByHand(verdict)))
  return (
    <Section
      title="Removable nodes"
      meta="their pods fit on other nodes"
      end={
        <>
          <b className="text-ink">{shownTotal}/month</b> for {count(rows.length, 'node')}
          {waitsForSomebody(byHand, total)}
        </>
      }
    >
      <Table isStacked label="Removable nodes" columns={columns} rows={rows} rowKey={({ uid }) => uid} />
    </Section>
  )
}
