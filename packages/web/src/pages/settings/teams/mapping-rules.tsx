import type { TeamMapping } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { emptyRule, rowsOfRules, rulesOfRows, type RuleRow } from '../../../format/team-rules.ts'
import { OrderedRows } from '../../../parts/ordered-rows.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFailure } from '../../../parts/states.tsx'

type Props = { mapping: TeamMapping; mayWrite: boolean; onChange: () => Promise<void> }

/** The rules that decide the team of a workload, in order. */
export function MappingRules({ mapping, mayWrite, onChange }: Props) {
  const [rows, setRows] = useState(() => rowsOfRules(mapping.rules))
  const [failure, run] = useFailure()
  const save = (event: FormEvent) => {
    event.preventDefault()
    void run(() => api.setTeamMapping({ body: { rules: rulesOfRows(rows) }, ifMatch: mapping.etag }).then(onChange))
  }
  return (
    <Section title="Mapping rules" meta="The first rule that matches a workload decides its team">
      <p className="mb-3 text-sm text-ink-3">
        The label plimsoll.dev/team of a workload or its namespace comes before all rules. An asterisk (*) stands for
        any characters. Empty fields match everything. New rules apply to the whole history.
      </p>
      <form onSubmit={save}>
        <fieldset className="contents" disabled={!mayWrite}>
          <OrderedRows
            rows={rows}
            empty={emptyRule}
            add="Add rule"
            nameOf={(_row, index) => `rule ${index + 1}`}
            isOrdered
            onChange={setRows}
          >
            {(row, index, change) => <RuleFields row={row} number={index + 1} onChange={change} />}
          </OrderedRows>
          {failure}
          {mayWrite && <button className="button button-primary mt-3 block">Save rules</button>}
        </fieldset>
      </form>
    </Section>
  )
}

type FieldsProps = { row: RuleRow; number: number; onChange: (fields: Partial<RuleRow>) => void }

function RuleFields({ row, number, onChange }: FieldsProps) {
  const field = (name: Exclude<keyof RuleRow, 'isFromLabel'>, label: string, isRequired = false) => (
    <input
      className="input w-36"
      aria-label={`${label} of rule ${number}`}
      placeholder={label}
      required={isRequired}
      value={row[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  )
  return (
    <>
      <select
        className="input"
        aria-label={`Source of the team of rule ${number}`}
        value={row.isFromLabel ? 'label' : 'name'}
        onChange={(event) => onChange({ isFromLabel: event.target.value === 'label' })}
      >
        <option value="name">Team</option>
        <option value="label">Value of label</option>
      </select>
      {field('team', row.isFromLabel ? 'Label key' : 'Team', true)}
      <span className="text-sm text-ink-3">if</span>
      {field('cluster', 'Cluster')}
      {field('namespace', 'Namespace')}
      {field('labelKey', 'Label')}
      {row.labelKey !== '' && field('labelValue', 'Label value')}
    </>
  )
}
