import type { clusterIncludes, ClusterDetail } from '@plimsoll/contract'
import type { Caller } from '../platform/auth/caller.ts'
import { listAgentTokens } from '../platform/auth/queries/agent-tokens.ts'
import {
  type ClusterExtras,
  type ClusterRow,
  installCommands,
  presentAgentToken,
  tokenPlaceholder,
} from '../clusters/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import { sumByGroup } from '../recommendations/index.ts'
import type { Deps } from '../platform/deps.ts'
import { loadDataQuality, parseWindow } from '../costs/index.ts'

/** Pending recommendations in each of these clusters that the caller may see. */
async function countOpenByCluster(
  deps: Deps,
  caller: Caller,
  clusters: readonly ClusterRow[],
): Promise<(cluster: ClusterRow) => number | null> {
  if (!caller.permissions.has('recommendations:read')) return () => null
  const clusterIds = clusters.map(({ cluster_id: id }) => id)
  const filter = { clusterIds, statuses: ['pending'], awakeAt: deps.now() }
  const { groups } = await sumByGroup(deps.db, {
    sight: caller,
    filter,
    by: 'cluster',
    limit: Math.max(1, clusterIds.length),
  })
  const counts = new Map(groups.map(({ cluster_id: id, count }) => [id, count]))
  return ({ cluster_id: id }) => counts.get(id) ?? 0
}

const tokensShownMax = 100

type Part = (typeof clusterIncludes)[number]
type Extra = Pick<ClusterDetail, Part>

/** Further parts of the cluster page, in the same response. Null: the caller may not see it. */
async function loadClusterDetail(
  deps: Deps,
  caller: Caller,
  { cluster_id: clusterId }: ClusterRow,
  parts: readonly Part[],
): Promise<Extra> {
  const isWhole = caller.namespaces === null
  const now = deps.now()
  const detail: Extra = {}
  if (parts.includes('data_quality')) {
    detail.data_quality = isWhole
      ? await readAtOnce(deps.db, (tx) => loadDataQuality(tx, clusterId, parseWindow({}, now), now))
      : null
  }
  if (parts.includes('install')) {
    detail.install = { ...installCommands(deps.settings, tokenPlaceholder), token_placeholder: tokenPlaceholder }
  }
  if (parts.includes('agent_tokens')) {
    const mayRead = isWhole && caller.permissions.has('clusters:token')
    const page = { after: undefined, limit: tokensShownMax, now }
    detail.agent_tokens = mayRead ? (await listAgentTokens(deps.db, clusterId, page)).map(presentAgentToken) : null
  }
  return detail
}

export const clusterExtras: ClusterExtras = { countOpen: countOpenByCluster, loadDetail: loadClusterDetail }
