import type { Cluster } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clustersQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { dollars } from '../format/money.ts'
import { ago, utc } from '../format/time.ts'
import { clusterWords, providerName } from '../format/words.ts'
import { Icon } from '../parts/icon.tsx'
import { State } from '../parts/marks.tsx'
import { useNow } from '../parts/now.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { Table, type Column } from '../parts/table.tsx'

export function ClustersPage() {
  const clusters = useQuery(clustersQuery)
  const may = useMay()
  const add = may('clusters:write') && (
    <Link to="/clusters/new" className="button button-primary">
      <Icon name="plus" />
      Add cluster
    </Link>
  )
  return (
    <Page title="Clusters" actions={add}>
      <Section title="Connected clusters" meta={clusters.data && `${clusters.data.clusters.length} in all`}>
        <QueryState query={clusters} what="The list of clusters">
          {({ clusters: rows }) =>
            rows.length === 0 ? (
              <Message icon="plus" title="No cluster is connected yet">
                Adding one gives you a command to run where kubectl works.
              </Message>
            ) : (
              <Table isStacked label="Clusters" columns={columns} rows={rows} rowKey={({ id }) => id} />
            )
          }
        </QueryState>
      </Section>
    </Page>
  )
}

const columns: Column<Cluster>[] = [
  {
    header: 'Cluster',
    cell: ({ id, name }) => (
      <Link to="/clusters/$clusterId" params={{ clusterId: id }} className="main hover:underline">
        {name}
      </Link>
    ),
  },
  { header: 'State', cell: (cluster) => <StatusOf cluster={cluster} /> },
  { header: 'Provider', cell: ({ provider }) => providerName(provider) },
  { header: 'Region', cell: ({ region }) => region },
  { header: 'Nodes', align: 'end', cell: ({ node_count: nodes }) => nodes?.toLocaleString('en-US') ?? '–' },
  { header: 'Pods', align: 'end', cell: ({ pod_count: pods }) => pods?.toLocaleString('en-US') ?? '–' },
  {
    header: '$/mo',
    align: 'end',
    cell: ({ monthly_cost: cost, status }) => (status === 'pending' || cost === null ? '–' : dollars(cost)),
  },
  { header: 'Last report', align: 'end', cell: ({ agent }) => <Seen at={agent.last_seen_at} /> },
]

function StatusOf({ cluster }: { cluster: Cluster }) {
  const { tone, word } = clusterWords[cluster.status]
  return <State tone={tone}>{word}</State>
}

function Seen({ at }: { at: string | null }) {
  const now = useNow()
  return at === null ? <span className="text-ink-3">never</span> : <span title={utc(at)}>{ago(at, now)}</span>
}
