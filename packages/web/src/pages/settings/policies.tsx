import type { DialName, PolicyList, PolicySettings } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { putJson } from '../../api/client.ts'
import { policiesQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Segmented } from '../../parts/controls.tsx'
import { OneCluster } from '../../parts/one-cluster.tsx'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'

export function Policies() {
  return <OneCluster>{(clusterId) => <ClusterPolicy key={clusterId} clusterId={clusterId} />}</OneCluster>
}

const dials: { value: DialName; word: string }[] = [
  { value: 'thrifty', word: 'thrifty' },
  { value: 'balanced', word: 'balanced' },
  { value: 'safe', word: 'safe' },
]

function ClusterPolicy({ clusterId }: { clusterId: string }) {
  const may = useMay()
  const queries = useQueryClient()
  const policies = useQuery(policiesQuery(clusterId))
  const [failure, run] = useFailure()
  const set = (list: PolicyList, changed: PolicySettings) => {
    const own = list.policies.find(({ namespace }) => namespace === null)?.settings
    void run(async () => {
      await putJson('/api/v1/policies', { cluster_id: clusterId, settings: { ...own, ...changed } })
      await queries.invalidateQueries({ queryKey: ['policies', clusterId] })
    })
  }
  return (
    <QueryState query={policies} what="The policies">
      {(list) => {
        const own = list.policies.find(({ namespace }) => namespace === null)?.settings
        const settings = { ...list.defaults, ...own }
        const rows: [string, string][] = [
          ['History without which no advice is given', `${settings.min_history_days} days`],
          ['Of the samples that were to be expected', `${Math.round(100 * settings.min_coverage)} %`],
          ['Smaller savings are withheld', `$${settings.min_savings}/mo`],
          ['Never below', `${settings.min_cpu_millicores}m, ${settings.min_memory_mib}Mi`],
          ['System namespaces', settings.include_system_namespaces ? 'included' : 'left alone'],
          ['Labels that name an owner', settings.owner_labels.join(', ')],
        ]
        return (
          <>
            <Section title="How careful the advice is" meta="the next analysis follows it">
              {may('settings:write') ? (
                <Segmented
                  label="How careful"
                  value={settings.dial}
                  options={dials}
                  onChange={(dial) => set(list, { dial })}
                />
              ) : (
                <p className="font-medium">{settings.dial}</p>
              )}
              <p className="mt-2 max-w-[70ch] text-ink-2">
                How much is spent on safety: less than, exactly, or more than what the Vertical Pod Autoscaler would
                request in total, spent where it prevents most.
              </p>
              {failure}
            </Section>
            <Section
              title="What holds for this cluster"
              end={own === undefined ? 'all by default' : 'some of it set here'}
            >
              <dl className="grid max-w-[640px] grid-cols-[1fr_auto]">
                {rows.map(([name, value]) => (
                  <div key={name} className="contents">
                    <dt className="border-b border-rule py-1.5 text-ink-2">{name}</dt>
                    <dd className="border-b border-rule py-1.5 text-right">{value}</dd>
                  </div>
                ))}
              </dl>
              <p className="mt-2 text-sm text-ink-3">
                {list.policies.some(({ namespace }) => namespace !== null) &&
                  `Namespaces with their own: ${list.policies.flatMap(({ namespace }) => namespace ?? []).join(', ')}. `}
                All of it can be set with PUT /api/v1/policies.
              </p>
            </Section>
          </>
        )
      }}
    </QueryState>
  )
}
