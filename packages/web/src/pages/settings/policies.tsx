import type { DialName, Policy, PolicyList, PolicySettings } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { nothingSet, putJson } from '../../api/client.ts'
import { policiesQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Segmented } from '../../parts/controls.tsx'
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
  const [failure, run] = useFailure()
  const set = async (own: Policy | undefined, changed: PolicySettings) => {
    const body = { cluster_id: clusterId, settings: { ...own?.settings, ...changed } }
    await run(() => putJson('/api/v1/policies', body, own?.etag ?? nothingSet))
    // Also when somebody else was faster: then theirs is shown.
    await queries.invalidateQueries({ queryKey: ['policies', clusterId] })
  }
  return (
    <QueryState query={policies} what="The policies">
      {({ policies: all, defaults }) => {
        const own = all.find(({ namespace }) => namespace === null)
        const settings = { ...defaults, ...own?.settings }
        return (
          <>
            <Dial settings={settings} failure={failure} onChange={(dial) => void set(own, { dial })} />
            <WhatHolds settings={settings} isDefault={own === undefined} policies={all} />
          </>
        )
      }}
    </QueryState>
  )
}

const dials: { value: DialName; word: string }[] = [
  { value: 'thrifty', word: 'thrifty' },
  { value: 'balanced', word: 'balanced' },
  { value: 'safe', word: 'safe' },
]

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
      <p className="mt-2 max-w-[70ch] text-ink-2">
        How much is spent on safety: less than, exactly, or more than what the Vertical Pod Autoscaler would request in
        total, spent where it prevents most.
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
      <dl className="grid max-w-[640px] grid-cols-[1fr_auto]">
        {rowsOf(settings).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="border-b border-rule py-1.5 text-ink-2">{name}</dt>
            <dd className="border-b border-rule py-1.5 text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-ink-3">
        {namespaces.length > 0 && `Namespaces with their own: ${namespaces.join(', ')}. `}
        All of it can be set with PUT /api/v1/policies.
      </p>
    </Section>
  )
}

const rowsOf = (settings: Settings): [name: string, value: string][] => [
  ['History without which no advice is given', `${settings.min_history_days} days`],
  ['Of the samples that were to be expected', `${Math.round(100 * settings.min_coverage)} %`],
  ['Smaller savings are withheld', `$${settings.min_savings}/mo`],
  ['Never below', `${settings.min_cpu_millicores}m, ${settings.min_memory_mib}Mi`],
  ['System namespaces', settings.include_system_namespaces ? 'included' : 'left alone'],
  ['Labels that name an owner', settings.owner_labels.join(', ')],
]
