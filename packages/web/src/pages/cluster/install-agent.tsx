import type { InstallTemplate, RotatedAgentToken } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Note } from '../../parts/state-tags.tsx'
import { useFailure } from '../../parts/states.tsx'
import { InstallCommand } from './install-command.tsx'

/** Old tokens stay valid long enough to run the command. */
const overlapMinutes = 24 * 60

type Props = { clusterId: string; template: InstallTemplate; hasReported: boolean }

export function InstallAgent({ clusterId, template, hasReported }: Props) {
  const title = hasReported ? 'Install or update the agent' : 'Run this command with kubectl access to the cluster'
  return <WithToken clusterId={clusterId} template={template} title={title} />
}

type WithTokenProps = { clusterId: string; template: InstallTemplate; title: string }

function WithToken({ clusterId, template, title }: WithTokenProps) {
  const may = useMay()
  const [failure, made, make] = useFreshToken(clusterId)
  if (made?.install !== undefined) {
    return (
      <InstallCommand install={made.install} token={made.token} title={title}>
        <IsFresh />
      </InstallCommand>
    )
  }
  return (
    <InstallCommand
      install={template}
      token={template.token_placeholder}
      title={title}
      meta="replace the highlighted text with a token"
    >
      {may('clusters:token') && <Make onMake={make} />}
      {failure}
    </InstallCommand>
  )
}

function Make({ onMake }: { onMake: () => Promise<unknown> }) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <button type="button" className="button" onClick={() => void onMake()}>
        Create token
      </button>
      <span className="text-ink-2">
        The command then contains the new token. The old token stays valid for one day.
      </span>
    </div>
  )
}

function IsFresh() {
  return (
    <div className="mt-2">
      <Note tone="ok" icon="check" role="status">
        <b>The command contains a new token.</b> Copy it now: it is not shown again.
      </Note>
    </div>
  )
}

function useFreshToken(clusterId: string) {
  const queries = useQueryClient()
  const [made, setMade] = useState<RotatedAgentToken | null>(null)
  const [failure, run] = useFailure()
  const make = () =>
    run(async () => {
      const params = { cluster_id: clusterId }
      setMade(await api.rotateAgentToken({ params, body: { overlap_minutes: overlapMinutes } }))
      await queries.invalidateQueries({ queryKey: ['cluster', clusterId] })
    })
  return [failure, made, make] as const
}
