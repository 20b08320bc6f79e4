import type { ApiKey, CreatedApiKey } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ago, day, dayMs } from '../../format/time.ts'
import { Secret } from '../../parts/controls.tsx'
import { Note, State } from '../../parts/state-tags.tsx'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { Message, QueryState, useFailure } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { NewToken } from './api-tokens/new-token.tsx'

const queryKey = ['api-keys']
const soonMs = 7 * dayMs

export function ApiTokens() {
  const queries = useQueryClient()
  const keys = useQuery({ queryKey, queryFn: () => api.listApiKeys() })
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const [failure, run] = useFailure()
  const refresh = () => queries.invalidateQueries({ queryKey })
  const revoke = (id: string) =>
    run(async () => {
      await api.revokeApiKey({ params: { key_id: id } })
      if (created?.id === id) setCreated(null)
      await refresh()
    })
  return (
    <>
      <Section
        title="New token"
        meta="For scripts. Send the token in the X-API-Key header, or as Authorization: Bearer."
      >
        <NewToken
          onCreated={(key) => {
            setCreated(key)
            void refresh()
          }}
        />
        {created?.key !== undefined && (
          <div className="mt-3">
            <Note tone="ok" icon="check" role="status">
              <b>Token {created.name} created.</b> Copy it now: it is not shown again.
              <Secret value={created.key} />
            </Note>
          </div>
        )}
      </Section>
      <Section title="Your tokens" end="200 requests per minute each">
        {failure}
        <QueryState query={keys} what="Your tokens">
          {({ api_keys: rows }) =>
            rows.length === 0 ? (
              <Message icon="plus" title="You have no tokens">
                Create a token for scripts that read costs or export manifests.
              </Message>
            ) : (
              <Tokens rows={rows} onRevoke={(id) => void revoke(id)} />
            )
          }
        </QueryState>
        <p className="mt-2 text-sm text-ink-3">Revoking takes effect immediately. A token cannot create tokens.</p>
      </Section>
    </>
  )
}

function Tokens({ rows, onRevoke }: { rows: readonly ApiKey[]; onRevoke: (id: string) => void }) {
  const now = useNow()
  const columns: Column<ApiKey>[] = [
    { header: 'Name', cell: ({ name }) => <span className="main">{name}</span> },
    { header: 'Prefix', cell: ({ id }) => <code>{`plk_${id.replace('key_', '').slice(0, 8)}`}</code> },
    {
      header: 'Permissions',
      className: 'wrap min-w-40',
      cell: ({ scopes }) => (scopes === null ? 'all your permissions' : scopes.join(', ')),
    },
    { header: 'Created', cell: ({ created_at: at }) => day(at) },
    {
      header: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? <span className="text-ink-3">never</span> : ago(at, now)),
    },
    { header: 'Expires', cell: ({ expires_at: at }) => <Ends at={at} now={now} /> },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: ({ id, name }) => (
        <button
          type="button"
          className="button button-small"
          aria-label={`Revoke ${name}`}
          onClick={() => onRevoke(id)}
        >
          Revoke
        </button>
      ),
    },
  ]
  return <Table isStacked label="Your tokens" columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function Ends({ at, now }: { at: string | null; now: Date }) {
  if (at === null) return <>never</>
  const left = new Date(at).getTime() - now.getTime()
  if (left < 0) return <State tone="muted">expired {day(at)}</State>
  return left < soonMs ? <State tone="warn">in {Math.ceil(left / dayMs)} days</State> : <>{day(at)}</>
}
