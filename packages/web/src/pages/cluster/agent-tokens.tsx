import type { AgentToken, AgentTokenList } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { deleteIt, getJson } from '../../api/client.ts'
import { ago, day, moment } from '../../format/time.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

export function AgentTokens({ clusterId }: { clusterId: string }) {
  const queries = useQueryClient()
  const now = useNow()
  const queryKey = ['agent-tokens', clusterId]
  const path = `/api/v1/clusters/${clusterId}/agent-tokens`
  const tokens = useQuery({ queryKey, queryFn: () => getJson<AgentTokenList>(path) })
  const [failure, run] = useFailure()
  const refresh = () => queries.invalidateQueries({ queryKey })
  const revoke = (id: string) => run(() => deleteIt(`${path}/${id}`).then(refresh))
  const columns: Column<AgentToken>[] = [
    { header: 'Token', cell: ({ id }) => <code>{id}</code> },
    { header: 'Made', cell: ({ created_at: at }) => day(at) },
    { header: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'not yet' : ago(at, now)) },
    { header: 'Ends', cell: ({ expires_at: at }) => (at === null ? 'never' : moment(at)) },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: ({ id }) => (
        <button type="button" className="button button-small" onClick={() => void revoke(id)}>
          Revoke
        </button>
      ),
    },
  ]
  return (
    <Section title="Agent tokens" meta="bound to this cluster; it can submit its metrics and nothing else">
      {failure}
      <QueryState query={tokens} what="The agent tokens">
        {({ agent_tokens: rows }) => (
          <Table isStacked label="Agent tokens" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </QueryState>
    </Section>
  )
}
