import { installCommands, installSettingsIn, type RotatedAgentToken } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getText, postJson } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Note } from '../../parts/marks.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'
import { InstallCommand } from './install-command.tsx'

/** Only the fingerprint of a token is kept, so whoever comes back finds this in its place. */
const placeholder = 'YOUR-AGENT-TOKEN'

/** The old ones keep working for as long as it takes to run the command. */
const overlapMinutes = 24 * 60

type Props = { clusterId: string; hasReported: boolean }

export function InstallAgent({ clusterId, hasReported }: Props) {
  const may = useMay()
  const [token, makeToken, failure] = useFreshToken(clusterId)
  const manifest = useQuery({
    queryKey: ['agent-manifest', clusterId],
    queryFn: () => getText(`/api/v1/clusters/${clusterId}/agent-manifest`),
    staleTime: Infinity,
  })
  return (
    <QueryState query={manifest} what="How to install the agent">
      {(text) => {
        const settings = installSettingsIn(text) ?? { publicUrl: window.location.origin, agentImage: undefined }
        const shown = token ?? placeholder
        const meta = token === null ? 'put its token where the coloured words stand' : 'the token is shown once'
        return (
          <InstallCommand
            install={installCommands(settings, shown)}
            token={shown}
            title={hasReported ? 'Install or update the agent' : 'Run this where kubectl works'}
            meta={meta}
          >
            {token !== null && <IsFresh />}
            {may('clusters:token') && token === null && (
              <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
                <button type="button" className="button" onClick={() => void makeToken()}>
                  Make a new token
                </button>
                <span className="text-ink-2">It is put into the command. The old one works for another day.</span>
              </div>
            )}
            {failure}
          </InstallCommand>
        )
      }}
    </QueryState>
  )
}

function IsFresh() {
  return (
    <div className="mt-2">
      <Note tone="ok" icon="check" role="status">
        <b>A new token is in the command.</b> Copy it now: it cannot be shown again.
      </Note>
    </div>
  )
}

function useFreshToken(clusterId: string) {
  const queries = useQueryClient()
  const [token, setToken] = useState<string | null>(null)
  const [failure, run] = useFailure()
  const make = () =>
    run(async () => {
      const path = `/api/v1/clusters/${clusterId}/agent-tokens`
      const made = await postJson<RotatedAgentToken>(path, { overlap_minutes: overlapMinutes })
      setToken(made.token ?? null)
      await queries.invalidateQueries({ queryKey: ['agent-tokens', clusterId] })
    })
  return [token, make, failure] as const
}
