import type { ClusterNode, NodeList } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useClusterName } from '../api/cluster-name.ts'
import { clustersQuery, listAllNodes, nodesQuery } from '../api/queries.ts'
import { addedUpGroups } from '../format/money.ts'
import { count } from '../format/quantity.ts'
import { clockWithZone } from '../format/time.ts'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Icon } from '../parts/icon.tsx'
import { Logo } from '../parts/logo.tsx'
import { Legend } from '../parts/money-bar.tsx'
import { OneCluster } from '../parts/one-cluster.tsx'
import { Page } from '../parts/page.tsx'
import { PartialHour } from '../parts/partial-hour.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { periodAndCluster, tableCsv } from '../parts/table-csv.ts'
import { WindowPicker } from '../parts/window-picker.tsx'
import { NodeDetails, windowWords } from './nodes/node-details.tsx'
import { columnsWith, NodeTable } from './nodes/node-table.tsx'
import { BlockedNodes, RemovableNodes } from './nodes/removable-nodes.tsx'
import { PoolRow } from './nodes/pool-row.tsx'
import { isBlockedNode } from './nodes/verdicts.ts'

export function NodesPage() {
  const { window = '7d' } = useSearch({ from: '/shell/nodes' })
  return (
    <Page title="Nodes" actions={<WindowPicker value={window} />}>
      <OneCluster>{(clusterId) => <ClusterNodes clusterId={clusterId} window={window} />}</OneCluster>
    </Page>
  )
}

function ClusterNodes({ clusterId, window }: { clusterId: string; window: string }) {
  const nodes = useQuery(nodesQuery(clusterId, window))
  return (
    <QueryState query={nodes} what="The nodes">
      {(list) =>
        list.nodes.length === 0 ? (
          <Message icon="clock" title="No nodes in this window" />
        ) : (
          <Nodes list={list} clusterId={clusterId} />
        )
      }
    </QueryState>
  )
}

function Nodes({ list, clusterId }: { list: NodeList; clusterId: string }) {
  const { node: picked } = useSearch({ from: '/shell/nodes' })
  const counted = list.nodes.filter(hasCost)
  const here = counted.filter(({ ended_at: ended }) => ended === null)
  const pools = byPool(here)
  const shown = here.find(({ uid }) => uid === picked) ?? emptiest(here)
  const gone = counted.filter(({ ended_at: ended }) => ended !== null)
  // One rounding for the page: nodes add up to pools, pools and removed nodes to the total.
  const sets = [...pools.map(([, nodes]) => nodes), gone]
  const amounts = addedUpGroups(sets.map((nodes) => nodes.map(({ cost }) => cost.total)))
  const running = amounts.sumOf(pools.map((_pool, index) => index))
  const shownCosts = new Map(
    sets.flatMap((nodes, at) => nodes.map(({ uid }, of) => [uid, amounts.items[at]?.[of] ?? ''])),
  )
  return (
    <div className="grid gap-6">
      <PartialHour answer={list} />
      <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,7fr)_minmax(260px,3fr)]">
        <Section
          title="Cost by node"
          meta={
            <>
              {count(here.length, 'node')} in {count(pools.length, 'pool')}
              <Newcomers clusterId={clusterId} list={list} known={here.length} />, {running} in the last{' '}
              {windowWords(list.window.hours)}; highest unallocated share first
              {list.has_more && '; the first 500 nodes by name'}
            </>
          }
          end={
            <span className="flex flex-wrap gap-x-4">
              <Legend of={here.map(({ cost }) => cost)} />
              <span className="flex items-center gap-1.5">
                <span className="text-accent">
                  <Logo />
                </span>
                removable
              </span>
              {here.some(isBlockedNode) && (
                <span className="flex items-center gap-1.5">
                  <Icon name="lock" />
                  blocked
                </span>
              )}
            </span>
          }
        >
          {pools.map(([pool, nodes], index) => (
            <PoolRow key={pool} pool={pool} nodes={nodes} cost={amounts.groups[index] ?? ''} picked={shown?.uid} />
          ))}
        </Section>
        {shown && <NodeDetails node={shown} list={list} isPicked={shown.uid === picked} />}
      </div>
      <RemovableNodes nodes={here} clusterId={clusterId} />
      <BlockedNodes nodes={here} clusterId={clusterId} />
      <NodeTable
        nodes={counted}
        hasMore={list.has_more}
        costs={shownCosts}
        csv={<NodesCsv list={list} />}
        sums={{ running, removed: amounts.groups.at(-1) ?? '', total: amounts.sumOf(sets.map((_set, index) => index)) }}
      />
    </div>
  )
}

/** Nodes removed before their first complete hour have no cost in this window. */
const hasCost = ({ ended_at: ended, cost }: ClusterNode) => ended === null || cost.total > 0

/** The page shows the first nodes by name; the file has all of them. */
function NodesCsv({ list: { cluster_id: clusterId, window } }: { list: NodeList }) {
  const cluster = useClusterName()(clusterId)
  const rows = async () => {
    const nodes = (await listAllNodes(clusterId, window)).filter(hasCost).sort((a, b) => b.cost.total - a.cost.total)
    return tableCsv(columnsWith(new Map()), nodes, periodAndCluster(window, cluster))
  }
  return <DownloadCsv name={`nodes-${cluster}`} rows={rows} />
}

/** The window ends with the last complete hour; newer nodes are counted separately. */
function Newcomers({ clusterId, list, known }: { clusterId: string; list: NodeList; known: number }) {
  const { data } = useQuery(clustersQuery)
  const now = data?.clusters.find(({ id }) => id === clusterId)?.node_count ?? known
  if (now <= known || list.has_more) return null
  return (
    <>
      {' '}
      ({now - known} more since {clockWithZone(list.window.to)})
    </>
  )
}

const unallocatedShare = ({ cost }: ClusterNode) => (cost.total > 0 ? cost.cluster_idle / cost.total : 0)

const costOf = (all: readonly ClusterNode[]) => all.reduce((sum, { cost }) => sum + cost.total, 0)

function byPool(nodes: readonly ClusterNode[]): [string, ClusterNode[]][] {
  const pools = new Map<string, ClusterNode[]>()
  for (const node of nodes) pools.set(node.pool, [...(pools.get(node.pool) ?? []), node])
  return [...pools]
    .map(([pool, all]): [string, ClusterNode[]] => [
      pool,
      [...all].sort((a, b) => unallocatedShare(b) - unallocatedShare(a)),
    ])
    .sort(([, a], [, b]) => costOf(b) - costOf(a))
}

const emptiest = (nodes: readonly ClusterNode[]) =>
  [...nodes].sort((a, b) => unallocatedShare(b) - unallocatedShare(a))[0]
