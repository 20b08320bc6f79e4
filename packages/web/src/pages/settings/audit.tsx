import type { AuditEntry, AuditList } from '@plimsoll/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getJson, withQuery } from '../../api/client.ts'
import { useClusterName } from '../../api/cluster-name.ts'
import { moment, utc } from '../../format/time.ts'
import { detailWords } from '../../format/details.ts'
import { plainName } from '../../format/words.ts'
import { Section } from '../../parts/section.tsx'
import { Loading, QueryState } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

const columns: Column<AuditEntry>[] = [
  { header: 'When', cell: ({ at }) => <span title={utc(at)}>{moment(at)}</span> },
  { header: 'Who', cell: (entry) => <Who entry={entry} /> },
  { header: 'What', cell: ({ action }) => <span className="main">{action}</span> },
  {
    header: 'On',
    cell: ({ action, target: { type, id } }) => (
      <span title={id}>
        {!action.startsWith(`${type}.`) && plainName(type)} <code className="text-ink-3">{shortId(id)}</code>
      </span>
    ),
  },
  {
    header: 'Details',
    className: 'wrap min-w-48 w-full [overflow-wrap:anywhere]',
    cell: ({ detail }) => <Details detail={detail} />,
  },
  { header: 'From', cell: ({ address }) => address ?? '–' },
]

/** Ids begin with the time they were made at, so what was made together differs in its end. */
const shortId = (id: string) => (id.length > 12 ? `…${id.slice(-8)}` : id)

/** A key acts for its user; which one it was decides what to revoke. */
function Who({ entry: { actor, api_key_name: keyName, credential_id: keyId } }: { entry: AuditEntry }) {
  const name = actor.email ?? actor.kind
  if (actor.kind !== 'api_key') return name
  return (
    <span>
      {name} <span className="block text-sm text-ink-2">with API token {keyName ?? keyId}</span>
    </span>
  )
}

/** Beside each other as far as there is room: a reason of somebody may be a sentence. */
function Details({ detail }: Pick<AuditEntry, 'detail'>) {
  const nameOf = useClusterName()
  if (Object.keys(detail).length === 0) return null
  return (
    <div className="flex flex-wrap gap-x-4">
      {Object.entries(detail).map(([name, value]) => {
        const [label, text] = detailWords(name, value, nameOf)
        return (
          <p key={name}>
            <span className="text-ink-3">{label}</span> {text}
          </p>
        )
      })}
    </div>
  )
}

export function Audit() {
  const log = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => getJson<AuditList>(withQuery('/api/v1/audit', { limit: 100, cursor: pageParam })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
  const rows = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Section title="Audit log" meta="who changed what, newest first">
      <QueryState query={log} what="The audit log" loading={<Loading rows={10} />}>
        {() => null}
      </QueryState>
      {rows.length > 0 && <Table isStacked label="Audit log" columns={columns} rows={rows} rowKey={({ id }) => id} />}
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
