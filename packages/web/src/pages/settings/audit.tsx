import { hourMs } from '../../format/time.ts'
import type { AuditEntry } from '@plimsoll/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useClusterName } from '../../api/cluster-name.ts'
import { rulesQuery } from '../../api/queries.ts'
import { actionLabels, labelOfAction } from '../../format/audit-labels.ts'
import { detailLines } from '../../format/details.ts'
import { capital, plainName } from '../../format/labels.ts'
import { Field, Options } from '../../parts/controls.tsx'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { Instant } from '../../parts/instant.tsx'
import { Section } from '../../parts/section.tsx'
import { Loading, QueryState } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

const columns: Column<AuditEntry>[] = [
  { header: 'Time', cell: ({ at }) => <Instant at={at} /> },
  { header: 'User', cell: (entry) => <Who entry={entry} /> },
  {
    header: 'Action',
    cell: ({ action }) => (
      <span className="main" title={action}>
        {labelOfAction(action)}
      </span>
    ),
  },
  {
    header: 'Object',
    cell: ({ action, target }) => <Target action={action} target={target} />,
  },
  { header: 'IP address', cell: ({ address }) => address ?? '–' },
  {
    header: 'Details',
    className: 'wrap min-w-48 w-full [overflow-wrap:anywhere]',
    cell: ({ detail }) => <Details detail={detail} />,
  },
]

/** Links to objects with a page; a cluster has its name. */
function Target({ action, target: { type, id } }: Pick<AuditEntry, 'action' | 'target'>) {
  const clusterName = useClusterName()
  if (type === 'recommendation')
    return (
      <Link to="/recommendations/$id" params={{ id }} className="link" title={id}>
        recommendation
      </Link>
    )
  const name = type === 'cluster' ? clusterName(id) : ''
  return (
    <span title={id}>
      {!action.startsWith(`${type}.`) && plainName(type)}{' '}
      {name === '' ? <code className="text-ink-3">{shortId(id)}</code> : name}
    </span>
  )
}

/** Ids begin with their creation time, so the end distinguishes them. */
const shortId = (id: string) => (id.length > 12 ? `…${id.slice(-8)}` : id)

/** The user, and the API token if one was used. */
function Who({ entry: { actor, api_key_name: keyName, credential_id: keyId } }: { entry: AuditEntry }) {
  const name = actor.email ?? actor.kind
  if (actor.kind !== 'api_key') return name
  return (
    <span>
      {name} <span className="block text-sm text-ink-2">with API token {keyName ?? keyId}</span>
    </span>
  )
}

/** The details of an entry; long values wrap. */
function Details({ detail }: Pick<AuditEntry, 'detail'>) {
  const clusterName = useClusterName()
  const { data } = useQuery(rulesQuery)
  const ruleShortName = (id: string) => data?.rules.find((rule) => rule.id === id)?.short_name
  if (Object.keys(detail).length === 0) return null
  return (
    <div className="flex flex-wrap gap-x-4">
      {detailLines(detail, { clusterName, ruleShortName }).map(([label, text]) => (
        <p key={label}>
          <span className="text-ink-3">{label}</span> {text}
        </p>
      ))}
    </div>
  )
}

const spans = { '': 'Any time', '24': 'Last 24 hours', '168': 'Last 7 days', '720': 'Last 30 days' } as const

type AuditFilters = { actor: string; action: string; hours: string }

/** Rounded to the minute, so that repeated requests share the cache. */
const since = (hours: string) =>
  hours === '' ? undefined : `${new Date(new Date().getTime() - Number(hours) * hourMs).toISOString().slice(0, 16)}:00Z`

export function Audit() {
  const [filters, setFilters] = useState<AuditFilters>({ actor: '', action: '', hours: '' })
  const log = useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam }) =>
      api.listAuditEntries({
        query: {
          limit: 100,
          cursor: pageParam,
          actor_id: filters.actor,
          action: filters.action,
          from: since(filters.hours),
        },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  const rows = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Section
      title="Audit log"
      meta="newest first"
      end={rows.length > 0 && <DownloadCsv name="audit" rows={csvOf(rows)} />}
    >
      <Filters filters={filters} onChange={setFilters} rows={rows} />
      <QueryState query={log} what="The audit log" loading={<Loading rows={10} />}>
        {() =>
          rows.length === 0 ? (
            <p className="py-2 text-ink-3">No matching entries.</p>
          ) : (
            <Table isStacked isBrief label="Audit log" columns={columns} rows={rows} rowKey={({ id }) => id} />
          )
        }
      </QueryState>
      {log.hasNextPage && (
        <button
          type="button"
          className="button mt-3"
          disabled={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          Show older
        </button>
      )}
    </Section>
  )
}

type FiltersProps = { filters: AuditFilters; onChange: (filters: AuditFilters) => void; rows: readonly AuditEntry[] }

function Filters({ filters, onChange, rows }: FiltersProps) {
  const actors = useActors(rows)
  const actions = Object.entries(actionLabels).map(([action, label]) => [action, capital(label)] as const)
  const select = (key: keyof AuditFilters, label: string, options: readonly (readonly [string, string])[]) => (
    <Field label={label}>
      <select
        className="input"
        value={filters[key]}
        onChange={(event) => onChange({ ...filters, [key]: event.target.value })}
      >
        <Options of={options} />
      </select>
    </Field>
  )
  return (
    <div className="mb-3 flex flex-wrap gap-3">
      {select('actor', 'User', [['', 'Any user'], ...actors])}
      {select('action', 'Action', [['', 'Any action'], ...actions])}
      {select(
        'hours',
        'Time',
        Object.entries(spans).sort(([a], [b]) => Number(a) - Number(b)),
      )}
    </div>
  )
}

/** Loaded users stay in the filter, even while only one is shown. */
function useActors(rows: readonly AuditEntry[]): [string, string][] {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map())
  const more = rows.flatMap(({ actor }) =>
    actor.id === null || known.has(actor.id) ? [] : [[actor.id, actor.email ?? actor.kind] as const],
  )
  if (more.length > 0) setKnown(new Map([...known, ...more]))
  return [...known].sort(([, a], [, b]) => a.localeCompare(b))
}

/** The raw values of the API, for archiving. */
const csvOf = (rows: readonly AuditEntry[]) => [
  ['at', 'actor', 'actor_kind', 'action', 'target_type', 'target_id', 'detail', 'address'],
  ...rows.map(({ at, actor, action, target, detail, address }) => [
    at,
    actor.email ?? actor.id ?? '',
    actor.kind,
    action,
    target.type,
    target.id,
    JSON.stringify(detail),
    address ?? '',
  ]),
]
