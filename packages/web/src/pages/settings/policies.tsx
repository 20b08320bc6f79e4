import type { DialName, Policy, PolicyList, PolicySettings } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { nothingSet, putJson } from '../../api/client.ts'
import { useTurns } from '../../api/in-turn.ts'
import { policiesQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Segmented } from '../../parts/controls.tsx'
import { exactDollars } from '../../format/money.ts'
import { OneCluster } from '../../parts/one-cluster.tsx'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'

export function Policies() {
  return <OneCluster>{(clusterId) => <ClusterPolicy key={clusterId} clusterId={clusterId} />}</OneCluster>
}

type Settings = PolicyList['defaults']

function ClusterPolicy({ clusterId }: { clusterId: string }) {
  const queries = useQueryClient()
  const policies = useQuery(policiesQuery(clusterId))
  const inTurn = useTurns()
  const [failure, run] = useFailure()
  const { queryKey } = policiesQuery(clusterId)
  const put = async (changed: PolicySettings) => {
    // An answer that is on its way may be older than what is set now.
    await queries.cancelQueries({ queryKey })
    const own = ownOf(queries.getQueryData(queryKey)?.policies ?? [])
    const body = { cluster_id: clusterId, settings: { ...own?.settings, ...changed } }
    const set = await putJson<Policy>('/api/v1/policies', body, own?.etag ?? nothingSet)
    queries.setQueryData(queryKey, (old) => old && { ...old, policies: [...ofNamespaces(old.policies), set] })
  }
  // Looked at again also when somebody else was faster: then theirs is shown.
  const change = (changed: PolicySettings) =>
    inTurn(
      () => run(() => put(changed)),
      () => queries.invalidateQueries({ queryKey }),
    )
  return (
    <QueryState query={policies} what="The policies">
      {({ policies: all, defaults }) => {
        const own = ownOf(all)
        const settings = { ...defaults, ...own?.settings }
        return (
          <>
            <Dial settings={settings} failure={failure} onChange={(dial) => void change({ dial })} />
            <WhatHolds settings={settings} isDefault={own === undefined} policies={all} />
          </>
        )
      }}
    </QueryState>
  )
}

/** What is set for the whole cluster. */
const ownOf = (policies: readonly Policy[]) => policies.find(({ namespace }) => namespace === null)

const ofNamespaces = (policies: readonly Policy[]) => policies.filter(({ namespace }) => namespace !== null)

const dials: { value: DialName; word: string }[] = [
  { value: 'thrifty', word: 'thrifty' },
  { value: 'balanced', word: 'balanced' },
  { value: 'safe', word: 'safe' },
]

const meanings: Record<DialName, string> = {
  thrifty: 'Thrifty: less is requested in total than the Vertical Pod Autoscaler would request. Saves most.',
  balanced: 'Balanced: as much is requested in total as the Vertical Pod Autoscaler would request.',
  safe: 'Safe: more is requested in total than the Vertical Pod Autoscaler would request. Fewest shortages.',
}

type DialProps = { settings: Settings; failure: ReactNode; onChange: (dial: DialName) => void }

function Dial({ settings: { dial }, failure, onChange }: DialProps) {
  const may = useMay()
  return (
    <Section title="How careful the advice is" meta="the next analysis follows it">
      {may('settings:write') ? (
        <Segmented label="How careful" value={dial} options={dials} onChange={onChange} />
      ) : (
        <p className="font-medium">{dial}</p>
      )}
      <p className="mt-2 max-w-[70ch] text-ink-2">{meanings[dial]}</p>
      <p className="mt-1 max-w-[70ch] text-sm text-ink-3">
        Head-room is spent where it prevents most shortage. The measure is what the Vertical Pod Autoscaler of
        Kubernetes would request in total for the same workloads.
      </p>
      {failure}
    </Section>
  )
}

type WhatHoldsProps = { settings: Settings; isDefault: boolean; policies: readonly Policy[] }

function WhatHolds({ settings, isDefault, policies }: WhatHoldsProps) {
  const namespaces = policies.flatMap(({ namespace }) => namespace ?? [])
  return (
    <Section title="What holds for this cluster" end={isDefault ? 'all by default' : 'some of it set here'}>
      <dl className="grid max-w-[640px] grid-cols-[3fr_2fr] phone:grid-cols-[1fr_auto]">
        {rowsOf(settings).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="border-b border-rule py-1.5 text-ink-2">{name}</dt>
            <dd className="border-b border-rule py-1.5 pl-4 text-right [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-ink-3">
        {namespaces.length > 0 && `Namespaces with their own: ${namespaces.join(', ')}. `}
        Where the LimitRange of a namespace or a mark on a workload asks for more, no request is advised below that; the
        evidence of each recommendation says which. All of it can be set for the cluster or a namespace with{' '}
        <code>PUT /api/v1/policies</code>.
      </p>
    </Section>
  )
}

const rowsOf = (settings: Settings): [name: string, value: string][] => [
  ['History that is needed before advice is given', `${settings.min_history_days} days`],
  ['Share of the expected samples that must have arrived', `${Math.round(100 * settings.min_coverage)} %`],
  ['Savings below this are withheld', `${exactDollars(settings.min_savings)}/mo`],
  ['No request is advised below', `${settings.min_cpu_millicores}m CPU, ${settings.min_memory_mib}Mi memory`],
  ['Advice for system namespaces such as kube-system', settings.include_system_namespaces ? 'given' : 'not given'],
  ['Labels that name an owner', settings.owner_labels.join(', ')],
]
