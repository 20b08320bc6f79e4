import type { CreatedCluster } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { api } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { TextField } from '../parts/controls.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, useFailure } from '../parts/states.tsx'
import { Checklist } from './cluster/checklist.tsx'
import { InstallCommand } from './cluster/install-command.tsx'
import { WhatTheAgentReads } from './cluster/what-the-agent-reads.tsx'

export function NewClusterPage() {
  const may = useMay()
  const [created, setCreated] = useState<CreatedCluster | null>(null)
  if (!may('clusters:write')) {
    return (
      <Page title="Add cluster">
        <Message icon="lock" title="Adding a cluster requires clusters:write">
          An admin can grant access in Settings → Roles.
        </Message>
      </Page>
    )
  }
  return (
    <Page title="Add cluster" sub={created?.name}>
      <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,7fr)_minmax(260px,3fr)]">
        <div className="grid content-start gap-6">
          {created ? (
            <>
              {created.install && (
                <InstallCommand install={created.install} token={created.agent_token}>
                  <p className="mt-2 text-ink-2">
                    You can create a new command later on the{' '}
                    <Link to="/clusters/$clusterId" params={{ clusterId: created.id }} className="link">
                      cluster page of {created.name}
                    </Link>
                    .
                  </p>
                </InstallCommand>
              )}
              <Checklist clusterId={created.id} />
            </>
          ) : (
            <NameForm onCreated={setCreated} />
          )}
        </div>
        <WhatTheAgentReads />
      </div>
    </Page>
  )
}

function NameForm({ onCreated }: { onCreated: (cluster: CreatedCluster) => void }) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [failure, run] = useFailure()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await run(async () => {
      const created = await api.createCluster({ body: { name: name.trim() } })
      void queries.invalidateQueries({ queryKey: ['clusters'] })
      onCreated(created)
    })
  }
  return (
    <Section title="Cluster name" meta="the agent detects provider and region">
      <form className="flex flex-wrap items-end gap-3" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Name"
          className="w-72"
          required
          maxLength={100}
          placeholder="prod-eu"
          value={name}
          onChange={setName}
        />
        <button className="button button-primary h-8">Create cluster</button>
      </form>
      <div className="mt-3">{failure}</div>
    </Section>
  )
}
