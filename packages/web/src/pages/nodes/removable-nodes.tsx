import type { ClusterNode } from '@plimsoll/contract'
import { useNavigate } from '@tanstack/react-router'
import { useClusterName } from '../../api/cluster-name.ts'
import { addedUp, dollars } from '../../format/money.ts'
import { count, withUnits } from '../../format/quantity.ts'
import { day } from '../../format/time.ts'
import { shortName } from '../../parts/change-text.tsx'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { Section } from '../../parts/section.tsx'
import { tableCsv } from '../../parts/table-csv.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { isBlockedNode, isByHand, isRemovable, savingOf } from './verdicts.ts'

/** The savings that need manual work: the size of a node group is set at the provider, not in a manifest. */
export function waitsForSomebody(usd: number, total: number): string {
  if (usd <= 0) return ''
  return usd < total
    ? `; ${dollars(usd)}/month of this only if you remove the nodes manually`
    : '; requires manual removal'
}

const sum = (nodes: readonly ClusterNode[]) =>
  nodes.reduce((usd, { why_still_here: verdict }) => usd + savingOf(verdict), 0)

type ShownProps = { nodes: readonly ClusterNode[]; clusterId: string }

/** Nodes whose pods fit elsewhere, each with the next step. The savings are computed for all of them together. */
export function RemovableNodes({ nodes, clusterId }: ShownProps) {
  const rows = nodes.filter(isRemovable)
  const byHand = sum(rows.filter(({ why_still_here: verdict }) => isByHand(verdict)))
  return (
    <NodeList
      title="Removable nodes"
      meta="their pods fit on other nodes"
      rows={rows}
      clusterId={clusterId}
      note={waitsForSomebody(byHand, sum(rows))}
      text={{ header: 'What to do', of: whatToDo }}
    />
  )
}

/** Nodes that only one blocker keeps, each with its blocker. */
export function BlockedNodes({ nodes, clusterId }: ShownProps) {
  return (
    <NodeList
      title="Blocked nodes"
      meta="without the blocker, their pods fit on other nodes"
      rows={nodes.filter(isBlockedNode)}
      clusterId={clusterId}
      note=""
      text={{ header: 'Blocker', of: ({ why_still_here: verdict }) => withUnits(verdict?.message ?? '') }}
    />
  )
}

function whatToDo({ why_still_here: verdict }: ClusterNode): string {
  if (!isByHand(verdict)) return 'No action: the node autoscaler can remove the node'
  return verdict?.pool_scaling?.by === 'unknown'
    ? 'Set in Settings, Policies whether an autoscaler resizes the pool'
    : 'Drain the node, then remove it from the node group'
}

type ListProps = {
  title: string
  meta: string
  rows: readonly ClusterNode[]
  clusterId: string
  /** After the number of nodes. */
  note: string
  text: { header: string; of: (node: ClusterNode) => string }
}

function NodeList({ title, meta, rows: unsorted, clusterId, note, text }: ListProps) {
  const navigate = useNavigate({ from: '/nodes' })
  const cluster = useClusterName()(clusterId)
  if (unsorted.length === 0) return null
  const savings = ({ why_still_here: verdict }: ClusterNode) => savingOf(verdict)
  const rows = [...unsorted].sort((a, b) => savings(b) - savings(a))
  const { parts, total } = addedUp(rows.map(savings))
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
      csv: ({ name }) => name,
    },
    { header: 'Pool', cell: ({ pool }) => pool, csv: ({ pool }) => pool },
    { header: text.header, className: 'wrap min-w-48', cell: text.of, csv: text.of },
    {
      header: 'Created',
      align: 'end',
      className: 'max-mid:hidden',
      cell: ({ first_seen_at: at }) => day(at),
      csv: ({ first_seen_at: at }) => at,
    },
    { header: '$/month', align: 'end', cell: (_node, index) => <b>{parts[index]}</b>, csv: savings },
  ]
  const csv = tableCsv(columns, rows, [['Cluster', () => cluster]])
  return (
    <Section
      title={title}
      meta={meta}
      end={
        <>
          <b className="text-ink">{total}/month</b> for {count(rows.length, 'node')}
          {note} <DownloadCsv name={`${title.replace(' ', '-').toLowerCase()}-${cluster}`} rows={csv} />
        </>
      }
    >
      <Table isStacked label={title} columns={columns} rows={rows} rowKey={({ uid }) => uid} />
    </Section>
  )
}
