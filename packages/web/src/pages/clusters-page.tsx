import type { Cluster, Overview } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clustersQuery, overviewQuery } from '../api/queries.ts'
import { dollars } from '../format/money.ts'
import { number } from '../format/quantity.ts'
import { ago, utc } from '../format/time.ts'
import { clusterLabels, neutral, providerName } from '../format/labels.ts'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Icon } from '../parts/icon.tsx'
import { State } from '../parts/state-tags.tsx'
import { Legend, MiniBar } from '../parts/money-bar.tsx'
import { totalOf, type Classes } from '../parts/money-classes.ts'
import { useNow } from '../parts/now.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { tableCsv } from '../parts/table-csv.ts'
import { Table, type Column } from '../parts/table.tsx'
import { useMayOpen } from '../shell/page-access.ts'

export function ClustersPage() {
  const clusters = useQuery(clustersQuery)
  const mayOpen = useMayOpen()
  const overview = useQuery({ ...overviewQuery(undefined), enabled: mayOpen('/') })
  const add = mayOpen('/clusters/new') && (
    <Link to="/clusters/new" className="button button-primary">
      <Icon name="plus" />
      Add cluster
    </Link>
  )
  return (
    <Page title="Clusters" actions={add}>
      <Section
        title="Connected clusters"
        meta={clusters.data && `${clusters.data.clusters.length} connected`}
        end={
          <>
            <span className="max-mid:hidden">
              <Legend of={overview.data?.clusters.map(({ compute }) => compute) ?? []} />
            </span>
            {clusters.data && clusters.data.clusters.length > 0 && (
              <DownloadCsv name="clusters" rows={clustersCsv(clusters.data.clusters, overview.data)} />
            )}
          </>
        }
      >
        <QueryState query={clusters} what="The list of clusters">
          {({ clusters: rows }) =>
            rows.length === 0 ? (
              <Message icon="plus" title="No cluster connected">
                {add
                  ? 'Add a cluster to get the command that installs its agent.'
                  : 'Adding a cluster requires clusters:write.'}
              </Message>
            ) : (
              <ClusterTable clusters={rows} overview={overview.data} />
            )
          }
        </QueryState>
      </Section>
    </Page>
  )
}

const byCost = (clusters: readonly Cluster[]) =>
  [...clusters].sort((a, b) => (b.monthly_cost ?? 0) - (a.monthly_cost ?? 0))

/** The run rate is of the last 24 complete hours. */
export const clustersCsv = (clusters: readonly Cluster[], overview: Overview | undefined) =>
  tableCsv(
    columns(0),
    byCost(clusters).map((cluster): Row => ({ ...cluster, compute: undefined })),
    [['Complete through', () => overview?.as_of]],
  )

type Row = Cluster & { compute: Classes | undefined }

/** The most expensive cluster first, with its compute cost by class. */
function ClusterTable({ clusters, overview }: { clusters: readonly Cluster[]; overview: Overview | undefined }) {
  const computeOf = (id: string) => overview?.clusters.find((each) => each.id === id)?.compute
  const rows = byCost(clusters).map((cluster): Row => ({ ...cluster, compute: computeOf(cluster.id) }))
  const max = Math.max(...rows.map(({ compute }) => (compute ? totalOf(compute) : 0)))
  return <Table isStacked label="Clusters" columns={columns(max)} rows={rows} rowKey={({ id }) => id} />
}

const columns = (max: number): Column<Row>[] => [
  {
    header: 'Cluster',
    cell: ({ id, name }) => (
      <Link to="/clusters/$clusterId" params={{ clusterId: id }} className="main hover:underline">
        {name}
      </Link>
    ),
    csv: ({ name }) => name,
  },
  {
    header: 'State',
    cell: (cluster) => <StatusOf cluster={cluster} />,
    csv: ({ status }) => clusterLabels[status].word,
  },
  {
    header: 'Location',
    cell: ({ provider, region }) => (
      <span>
        {providerName(provider)} <span className="text-ink-3">{region}</span>
      </span>
    ),
    csv: ({ provider, region }) => `${providerName(provider)} ${region}`,
  },
  {
    header: 'Nodes',
    align: 'end',
    cell: ({ node_count: nodes }) => (nodes === null ? '–' : number(nodes)),
    csv: ({ node_count: nodes }) => nodes,
  },
  {
    header: 'Pods',
    align: 'end',
    cell: ({ pod_count: pods }) => (pods === null ? '–' : number(pods)),
    csv: ({ pod_count: pods }) => pods,
  },
  {
    header: 'Compute cost by usage',
    className: 'w-[26%] max-mid:hidden',
    cell: ({ compute }) => compute && <MiniBar classes={compute} max={max} />,
  },
  {
    header: 'Total $/month',
    align: 'end',
    cell: ({ monthly_cost: cost, status }) => <b>{status === 'pending' || cost === null ? '–' : dollars(cost)}</b>,
    csv: ({ monthly_cost: cost, status }) => (status === 'pending' ? null : cost),
  },
  {
    header: 'Last report',
    align: 'end',
    cell: ({ agent }) => <Seen at={agent.last_seen_at} />,
    csv: ({ agent }) => agent.last_seen_at,
  },
]

function StatusOf({ cluster }: { cluster: Cluster }) {
  const { tone, word } = clusterLabels[cluster.status]
  return <State tone={cluster.last_sync_at === null ? neutral(tone) : tone}>{word}</State>
}

function Seen({ at }: { at: string | null }) {
  const now = useNow()
  return at === null ? <span className="text-ink-3">never</span> : <span title={utc(at)}>{ago(at, now)}</span>
}
