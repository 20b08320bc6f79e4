import type { Overview, OverviewCluster } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { addedUp, dollars } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { providerName } from '../../format/labels.ts'
import { Explained } from '../../parts/explained.tsx'
import { ClassFigures, MiniBar, MoneyBar } from '../../parts/money-bar.tsx'
import { amountOf, noteOf, totalOf, wordOf, wordsFor, type ClassKey } from '../../parts/money-classes.ts'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { partsByCluster } from './parts-by-cluster.ts'

export function Compute({ overview }: { overview: Overview }) {
  const { compute, clusters } = overview
  const known = clusters.filter(({ hours }) => hours > 0)
  const nodes = known.reduce((sum, each) => sum + each.node_count, 0)
  const { parts, total } = addedUp(wordsFor(compute).map(({ key }) => amountOf(compute, key)))
  const line = loadLine(overview)
  return (
    <Section
      title="Compute cost by usage"
      meta={`${total}/month on ${count(nodes, 'node')}${newcomers(clusters.length - known.length)}`}
      end={
        <Link to="/efficiency" className="link text-ink">
          Efficiency
        </Link>
      }
    >
      <div className="grid gap-x-8 gap-y-4 wide:grid-cols-[3fr_2fr]">
        <div>
          <MoneyBar classes={compute} shownOf={(_key, index) => parts[index] ?? ''} loadLine={line} />
          <ClassFigures classes={compute}>
            {(key, index) => (
              <ClassFigure overview={overview} of={key}>
                {parts[index] ?? ''}
              </ClassFigure>
            )}
          </ClassFigures>
          {line && (
            <p className="mt-2 text-sm text-ink-3">
              With all open and approved recommendations applied, compute costs{' '}
              <Explained
                title={`${line.sum}, ${dollars(line.at)}/month`}
                how={line.how}
                parts={line.parts}
                sum={line.sum}
              >
                {dollars(line.at)}
              </Explained>
              /month: {line.meaning}
            </p>
          )}
        </div>
        <ComputeByCluster clusters={clusters} />
      </div>
    </Section>
  )
}

const newcomers = (clusters: number) => (clusters === 0 ? '' : `, excluding ${count(clusters, 'new cluster')}`)

function ClassFigure({ overview, of: key, children }: { overview: Overview; of: ClassKey; children: string }) {
  const { word, how } = wordOf(key)
  return (
    <Explained
      title={`${word}, ${children}/month`}
      how={`${how}. Mean of the last 24 complete hours × 730.`}
      parts={partsByCluster(overview.clusters, ({ compute }) => amountOf(compute, key))}
      sum="Total"
      {...noteOf(key)}
    >
      {children}
    </Explained>
  )
}

const rowsShown = 8

type Row = Pick<OverviewCluster, 'compute' | 'hours' | 'node_count'> & { cluster: OverviewCluster | null; many: number }

/** The largest clusters and one row for all others; the rows add up to the total above. */
function ComputeByCluster({ clusters }: { clusters: readonly OverviewCluster[] }) {
  const others = clusters.slice(rowsShown)
  const rows: Row[] = [
    ...clusters.slice(0, rowsShown).map((cluster) => ({ ...cluster, cluster, many: 1 })),
    ...(others.length > 0 ? [togetherOf(others)] : []),
  ]
  return (
    <Table
      label="Compute by cluster"
      columns={columns(rows)}
      rows={rows}
      rowKey={({ cluster }) => cluster?.id ?? 'others'}
    />
  )
}

function togetherOf(clusters: readonly OverviewCluster[]): Row {
  const sum = (of: (cluster: OverviewCluster) => number) => clusters.reduce((total, each) => total + of(each), 0)
  return {
    cluster: null,
    many: clusters.length,
    node_count: sum(({ node_count: nodes }) => nodes),
    hours: Math.max(...clusters.map(({ hours }) => hours)),
    compute: {
      workload: sum(({ compute }) => compute.workload),
      workload_idle: sum(({ compute }) => compute.workload_idle),
      cluster_idle: sum(({ compute }) => compute.cluster_idle),
      unmeasured: sum(({ compute }) => compute.unmeasured),
      total: sum(({ compute }) => compute.total),
    },
  }
}

function columns(rows: readonly Row[]): Column<Row>[] {
  const max = Math.max(...rows.map(({ compute }) => totalOf(compute)))
  const { parts } = addedUp(rows.map(({ compute }) => compute.total))
  return [
    { header: 'Cluster', cell: ({ cluster, many }) => <NameOf cluster={cluster} many={many} /> },
    { header: 'Nodes', cell: (row) => row.node_count, align: 'end', className: 'max-phone:hidden' },
    {
      header: 'Share of compute',
      className: 'w-[34%] min-w-16 whitespace-normal phone:min-w-20',
      cell: (row) =>
        row.hours === 0 ? (
          <span className="text-ink-3">no complete hour</span>
        ) : (
          <MiniBar classes={row.compute} max={max} />
        ),
    },
    {
      header: 'Compute $/month',
      align: 'end',
      className: 'whitespace-normal',
      // Before its first complete hour, compute omits a cluster; the run rate estimates it from node prices.
      cell: ({ hours }, index) => (hours > 0 ? parts[index] : '–'),
    },
  ]
}

function NameOf({ cluster, many }: Pick<Row, 'cluster' | 'many'>) {
  if (cluster === null) return <span className="text-ink-2">{many} more clusters</span>
  return (
    <Link to="/" search={{ cluster: cluster.id }} className="hover:underline">
      <span className="main">{cluster.name}</span>{' '}
      <span className="text-ink-3 max-phone:hidden">{providerName(cluster.provider)}</span>
    </Link>
  )
}

const notInBar = 'Volumes, load balancers and control planes are not included.'

/**
 * Compute cost after all open and approved recommendations. Savings of volumes, load balancers and control planes are not
 * part of this bar. Uses bankable savings, or estimated savings if bankable is unknown.
 */
function loadLine({ compute, recommendations: advice }: Overview) {
  if (!advice) return null
  const { bankable_savings: bankable, estimated_savings: estimated } = advice.compute
  const isBankable = bankable !== null && bankable > 0
  const saving = isBankable ? bankable : estimated
  if (saving <= 0) return null
  const at = compute.total - saving
  return {
    at,
    word: 'after recommendations',
    meaning: isBankable
      ? `${dollars(saving)}/month less (bankable savings). ${notInBar}`
      : `${dollars(saving)}/month less (estimated savings; bankable savings are not computed). ${notInBar}`,
    how: 'Compute cost after all open and approved recommendations for workloads and nodes.',
    parts: [
      { name: 'Compute now', usd: compute.total },
      { name: isBankable ? 'Bankable' : 'Estimated', usd: -saving },
    ],
    sum: 'After recommendations',
  }
}
