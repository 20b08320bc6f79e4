import type { Session } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { ago, momentWithZone } from '../../format/time.ts'
import { browserName } from '../../format/browser-name.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

const queryKey = ['sessions']

/** Where the user is signed in. */
export function Sessions() {
  const queries = useQueryClient()
  const sessions = useQuery({ queryKey, queryFn: () => api.listSessions() })
  const [failure, run] = useFailure()
  const end = (id: string) =>
    void run(async () => {
      await api.endSession({ params: { session_id: id } })
      await queries.invalidateQueries({ queryKey })
    })
  return (
    <Section title="Your sessions" meta="where you are signed in">
      {failure}
      <QueryState query={sessions} what="Your sessions">
        {({ sessions: rows }) => <SessionTable rows={rows} onEnd={end} />}
      </QueryState>
    </Section>
  )
}

function SessionTable({ rows, onEnd }: { rows: readonly Session[]; onEnd: (id: string) => void }) {
  const now = useNow()
  const columns: Column<Session>[] = [
    { header: 'Browser', cell: ({ user_agent: agent }) => <span className="main">{browserName(agent)}</span> },
    { header: 'IP address', cell: ({ address }) => address ?? '–' },
    { header: 'Signed in', cell: ({ created_at: at }) => ago(at, now) },
    { header: 'Method', cell: ({ method }) => (method === 'oidc' ? 'identity provider' : 'password') },
    { header: 'Expires', cell: ({ expires_at: at }) => momentWithZone(at) },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (session) =>
        session.is_current ? (
          <span className="text-ink-3">this session</span>
        ) : (
          <button
            type="button"
            className="button button-small"
            aria-label={`End the session of ${browserName(session.user_agent)}, signed in ${ago(session.created_at, now)}`}
            onClick={() => onEnd(session.id)}
          >
            End
          </button>
        ),
    },
  ]
  return <Table isStacked label="Your sessions" columns={columns} rows={rows} rowKey={({ id }) => id} />
}
