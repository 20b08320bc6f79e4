import type { IdleCosts } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useClusterName } from '../api/cluster-name.ts'
import { idleCostsQuery } from '../api/queries.ts'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Legend } from '../parts/money-bar.tsx'
import { OneCluster } from '../parts/one-cluster.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { periodAndCluster } from '../parts/table-csv.ts'
import { WindowPicker } from '../parts/window-picker.tsx'
import { namespaceCsv, NamespaceTable, nodeCsv, NodeTable } from './efficiency/class-tables.tsx'
import { RequestedAgainstUsed } from './efficiency/requested-against-used.tsx'
import { ComputeByUse } from './efficiency/compute-by-use.tsx'

export function EfficiencyPage() {
  const { window = '7d' } = useSearch({ from: '/shell/efficiency' })
  return (
    <Page
      title="Efficiency"
      sub="Compute cost by class: used, requested but unused, unallocated"
      actions={<WindowPicker value={window} />}
    >
      <OneCluster>{(clusterId) => <ClusterEfficiency clusterId={clusterId} window={window} />}</OneCluster>
    </Page>
  )
}

function ClusterEfficiency({ clusterId, window }: { clusterId: string; window: string }) {
  const costs = useQuery(idleCostsQuery(clusterId, window))
  return (
    <QueryState query={costs} what="The idle cost">
      {(known) =>
        known.data_status === 'no_data' || known.data_status === 'collecting' ? (
          <>
            <Message icon="clock" title="No complete hour in this window">
              Used and idle cost appear after the first complete hour.
            </Message>
            {known.data_status === 'collecting' && known.workloads && (
              <RequestedAgainstUsed clusterId={clusterId} workloads={known.workloads} window={known.window} />
            )}
          </>
        ) : (
          <div className="grid gap-6">
            <ComputeByUse costs={known} />
            {known.workloads && (
              <RequestedAgainstUsed clusterId={clusterId} workloads={known.workloads} window={known.window} />
            )}
            <Classes costs={known} clusterId={clusterId} />
          </div>
        )
      }
    </QueryState>
  )
}

function Classes({ costs, clusterId }: { costs: IdleCosts; clusterId: string }) {
  const cluster = useClusterName()(clusterId)
  const lead = periodAndCluster(costs.window, cluster)
  return (
    <div className="grid gap-x-8 gap-y-6 wide:grid-cols-2">
      <Section
        title="By namespace"
        end={<DownloadCsv name={`efficiency-by-namespace-${cluster}`} rows={namespaceCsv(costs, lead)} />}
      >
        <Legend of={costs.by_namespace} />
        <NamespaceTable costs={costs} />
      </Section>
      <Section
        title="By node"
        meta="highest idle cost first"
        end={<DownloadCsv name={`efficiency-by-node-${cluster}`} rows={nodeCsv(costs, lead)} />}
      >
        <NodeTable rows={costs.by_node} />
      </Section>
    </div>
  )
}
