import type { AgentToken } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ago, day, momentWithZone } from '../../format/time.ts'
import { Note } from '../../parts/state-tags.tsx'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { useFailure } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { lastEnd } from './last-end.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

export function AgentTokens({ clusterId, rows }: { clusterId: string; rows: readonly AgentToken[] }) {
  const queries = useQueryClient()
  const now = useNow()
  const [failure, run] = useFailure()
  const refresh = () => queries.invalidateQueries({ queryKey: ['cluster', clusterId] })
  const toast = useToast()
  const [toRevoke, setToRevoke] = useState<AgentToken>()
  const revoke = async ({ id }: AgentToken) => {
    setToRevoke(undefined)
    if (await run(() => api.revokeAgentToken({ params: { cluster_id: clusterId, token_id: id } }).then(refresh)))
      toast({ text: `${id} revoked.` })
  }
  const columns: Column<AgentToken>[] = [
    { header: 'Token', cell: ({ id }) => <code>{id}</code> },
    { header: 'Created', cell: ({ created_at: at }) => day(at) },
    { header: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : ago(at, now)) },
    { header: 'Expires', cell: ({ expires_at: at }) => (at === null ? 'never' : momentWithZone(at)) },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (token) => (
        <button type="button" className="button button-small" onClick={() => setToRevoke(token)}>
          Revoke
        </button>
      ),
    },
  ]
  return (
    <Section title="Agent tokens" meta="Valid for this cluster only, and only for sending metrics.">
      {failure}
      <AllEnd rows={rows} />
      <Table isStacked label="Agent tokens" columns={columns} rows={rows} rowKey={({ id }) => id} />
      {toRevoke && (
        <RevokeDialog token={toRevoke} onRevoke={() => void revoke(toRevoke)} onClose={() => setToRevoke(undefined)} />
      )}
    </Section>
  )
}

/** An agent with an expired token stops reporting, so this warns in advance. */
function AllEnd({ rows }: { rows: readonly AgentToken[] }) {
  const end = lastEnd(rows)
  if (end === null) return null
  return (
    <Note tone="warn" icon="alert">
      The last token in use expires on {momentWithZone(end)}. Give the agent a new token before that date. Otherwise the
      agent stops sending data.
    </Note>
  )
}
