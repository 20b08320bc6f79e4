import type { TeamList, TeamMapping } from '@plimsoll/contract'
import { useId, useState } from 'react'
import { api } from '../../../api/client.ts'
import { dollars, sumDollars } from '../../../format/money.ts'
import { count } from '../../../format/quantity.ts'
import { OwnerLink } from '../../../parts/owner-link.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { Table, type Column } from '../../../parts/table.tsx'

type Unowned = NonNullable<TeamList['unowned']>
type UnownedNamespace = Unowned['namespaces'][number]

type Props = {
  unowned: Unowned
  teams: readonly string[]
  /** Undefined: the viewer cannot change it. */
  mapping: TeamMapping | undefined
  onChange: () => Promise<void>
}

/** Namespaces with workloads without a team, largest first. */
export function UnownedCost({ unowned: { cost, namespaces, rest }, teams, mapping, onChange }: Props) {
  const [failure, run] = useFailure()
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const listId = useId()
  const teamFor = (row: UnownedNamespace) => (chosen[keyOf(row)] ?? '').trim()
  // At the end: the rule matches only workloads that no other rule matches.
  const assign = ({ cluster, namespace }: UnownedNamespace, team: string, { rules, etag }: TeamMapping) =>
    void run(() =>
      api.setTeamMapping({ body: { rules: [...rules, { team, cluster, namespace }] }, ifMatch: etag }).then(onChange),
    )
  const columns: Column<UnownedNamespace>[] = [
    {
      header: 'Namespace',
      cell: ({ namespace }) => (
        <OwnerLink kind="namespaces" name={namespace}>
          {namespace}
        </OwnerLink>
      ),
      sortBy: ({ namespace }) => namespace,
    },
    { header: 'Cluster', cell: ({ cluster }) => cluster },
    { header: 'Cost this month', align: 'end', cell: ({ cost: usd }) => dollars(usd), sortBy: ({ cost: usd }) => usd },
  ]
  if (mapping)
    columns.push({
      header: <span className="sr-only">Assign</span>,
      align: 'end',
      cell: (row) => (
        <span className="inline-flex gap-2">
          <input
            className="input h-7 w-40"
            aria-label={`Team of ${row.namespace} in ${row.cluster}`}
            placeholder="Team"
            list={listId}
            maxLength={100}
            value={chosen[keyOf(row)] ?? ''}
            onChange={(event) => setChosen({ ...chosen, [keyOf(row)]: event.target.value })}
          />
          <button
            type="button"
            className="button button-small"
            disabled={teamFor(row) === ''}
            onClick={() => assign(row, teamFor(row), mapping)}
          >
            Assign
          </button>
        </span>
      ),
    })
  return (
    <Section title="Unowned cost" meta={`${sumDollars(cost)} this month`}>
      {failure}
      <datalist id={listId}>
        {teams.map((team) => (
          <option key={team} value={team} />
        ))}
      </datalist>
      {namespaces.length === 0 ? (
        <p className="text-ink-3">All workloads have a team.</p>
      ) : (
        <Table isStacked label="Unowned cost" columns={columns} rows={namespaces} rowKey={keyOf} />
      )}
      {rest.namespaces > 0 && (
        <p className="mt-2 text-sm text-ink-3">
          {count(rest.namespaces, 'more namespace')} with {dollars(rest.cost)}
        </p>
      )}
    </Section>
  )
}

const keyOf = ({ cluster, namespace }: UnownedNamespace) => `${cluster}/${namespace}`
