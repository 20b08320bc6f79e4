import type { CountedTeam, TeamList } from '@plimsoll/contract'
import { useState } from 'react'
import { dollars, sumDollars } from '../../../format/money.ts'
import { count } from '../../../format/quantity.ts'
import { OwnerLink } from '../../../parts/owner-link.tsx'
import { Section } from '../../../parts/section.tsx'
import { Note } from '../../../parts/state-tags.tsx'
import { Table, type Column } from '../../../parts/table.tsx'
import { TeamForm } from './team-form.tsx'

type Props = { list: TeamList; mayWrite: boolean; onChange: () => Promise<void> }

export function TeamTable({ list: { teams, rest, total, channels }, mayWrite, onChange }: Props) {
  const [edited, setEdited] = useState<string | null>(null)
  const nameOf = (id: string) => channels?.find((each) => each.id === id)?.name ?? id
  const columns: Column<CountedTeam>[] = [
    {
      header: 'Team',
      cell: ({ name }) => (
        <OwnerLink kind="teams" name={name}>
          {name}
        </OwnerLink>
      ),
      sortBy: ({ name }) => name,
    },
    { header: 'Own cost this month', align: 'end', cell: ({ cost }) => dollars(cost), sortBy: ({ cost }) => cost },
    { header: 'Namespaces', align: 'end', cell: ({ namespaces }) => namespaces },
    { header: 'Contact', cell: ({ contact }) => contact ?? '–', className: 'wrap' },
    { header: 'Cost center', cell: ({ cost_center: center }) => center ?? '–' },
    { header: 'Channels', cell: ({ channel_ids: ids }) => ids.map(nameOf).join(', ') || '–', className: 'wrap' },
  ]
  if (mayWrite)
    columns.push({
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: ({ name }) => (
        <button
          type="button"
          className="button button-small"
          aria-label={`Edit ${name}`}
          aria-expanded={edited === name}
          onClick={() => setEdited(edited === name ? null : name)}
        >
          Edit
        </button>
      ),
    })
  const chosen = teams.find(({ name }) => name === edited)
  const assigned = new Set(teams.flatMap(({ channel_ids: ids }) => ids))
  const isWithoutShared = channels && channels.length > 0 && channels.every(({ id }) => assigned.has(id))
  return (
    <Section
      title="Teams"
      meta={`own cost, without shared cost; total of all clusters this month: ${sumDollars(total)} (UTC)`}
    >
      {isWithoutShared && (
        <Note tone="warn" icon="warn">
          Every channel belongs to a team. Alerts without a team are not sent.
        </Note>
      )}
      {teams.length === 0 ? (
        <p className="text-ink-3">No teams. Add a mapping rule, or label workloads with plimsoll.dev/team.</p>
      ) : (
        <Table
          isStacked
          label="Teams"
          columns={columns}
          rows={teams}
          rowKey={({ name }) => name}
          isChosen={({ name }) => name === edited}
        />
      )}
      {rest.teams > 0 && (
        <p className="mt-2 text-sm text-ink-3">
          {count(rest.teams, 'more team')} with {dollars(rest.cost)}
        </p>
      )}
      {chosen && (
        <TeamForm
          key={chosen.etag}
          team={chosen}
          channels={channels ?? []}
          onSaved={async () => {
            setEdited(null)
            await onChange()
          }}
        />
      )}
    </Section>
  )
}
