import type { Cluster } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { clusterQuery } from '../api/queries.ts'
import { useMay, useIsLimited } from '../api/session.ts'
import { dollars } from '../format/money.ts'
import { clusterLabels, neutral, providerName } from '../format/labels.ts'
import { State } from '../parts/state-tags.tsx'
import { Page } from '../parts/page.tsx'
import { useMayOpen } from '../shell/page-access.ts'
import { AgentTokens } from './cluster/agent-tokens.tsx'
import { Checklist } from './cluster/checklist.tsx'
import { InstallAgent } from './cluster/install-agent.tsx'
import { RemoveDialog } from './cluster/remove-dialog.tsx'
import { Sync } from './cluster/sync.tsx'

export function ClusterPage() {
  const { clusterId } = useParams({ from: '/shell/clusters/$clusterId' })
  const may = useMay()
  const mayOpen = useMayOpen()
  const { data, isError } = useQuery(clusterQuery(clusterId))
  const [isDeleting, setDeleting] = useState(false)
  const isWhole = !useIsLimited()
  const mayInstall = isWhole && (may('clusters:write') || may('clusters:token'))
  const hasReported = typeof data?.agent.last_seen_at === 'string'
  const checklist = <Checklist key="checklist" clusterId={clusterId} />
  // Keys keep the sections mounted when their order changes, so a new token stays visible.
  const install = mayInstall && data?.install && (
    <InstallAgent key="install" clusterId={clusterId} template={data.install} hasReported={hasReported} />
  )
  return (
    <Page
      title={data?.name ?? 'Cluster'}
      sub={data && <Facts cluster={data} />}
      actions={
        !isError && (
          <>
            {mayOpen('/') && (
              <Link to="/" search={{ cluster: clusterId }} className="button">
                Show cost overview
              </Link>
            )}
            {may('clusters:delete') && (
              <button type="button" className="button button-danger-quiet" onClick={() => setDeleting(true)}>
                Delete…
              </button>
            )}
          </>
        )
      }
    >
      <div className="grid gap-6">
        {hasReported ? [checklist, install] : [install, checklist]}
        {isWhole && may('clusters:write') && hasReported && <Sync clusterId={clusterId} />}
        {data?.agent_tokens && <AgentTokens clusterId={clusterId} rows={data.agent_tokens} />}
      </div>
      {isDeleting && data && <RemoveDialog cluster={data} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function Facts({ cluster }: { cluster: Cluster }) {
  const { tone, word } = clusterLabels[cluster.status]
  return (
    <>
      {providerName(cluster.provider)}
      {cluster.region !== 'unknown' && `, ${cluster.region}`} ·{' '}
      {cluster.status !== 'pending' && cluster.monthly_cost !== null && `${dollars(cluster.monthly_cost)}/month · `}
      <State tone={cluster.last_sync_at === null ? neutral(tone) : tone}>{word}</State>
    </>
  )
}
