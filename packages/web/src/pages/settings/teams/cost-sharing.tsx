import type { CostSharing as Sharing } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { sharingFields, type SharingFields } from '../../../format/cost-sharing.ts'
import { namesOfText } from '../../../format/names-of-text.ts'
import { Field, Options, TextField } from '../../../parts/controls.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFailure } from '../../../parts/states.tsx'

type Props = { sharing: Sharing; mayWrite: boolean; onChange: () => Promise<void> }

const rules = [
  ['proportional', 'In proportion to own cost'],
  ['even', 'In equal parts'],
] as const

const optionalRules = [...rules, ['none', 'Not shared']] as const

/** Who pays for costs without a team: statements, budgets and the allocation share them by these rules. */
export function CostSharing({ sharing, mayWrite, onChange }: Props) {
  const [fields, setFields] = useState(() => sharingFields(sharing))
  const [failure, run, wrong] = useFailure(['/namespaces'])
  const set = (change: Partial<SharingFields>) => setFields((known) => ({ ...known, ...change }))
  const save = (event: FormEvent) => {
    event.preventDefault()
    const { namespaces, ...others } = fields
    const body = { ...others, namespaces: namesOfText(namespaces) }
    void run(() => api.setCostSharing({ body, ifMatch: sharing.etag }).then(onChange))
  }
  return (
    <Section title="Shared cost" meta="Rules of statements and budgets">
      <p className="mb-3 text-sm text-ink-3">
        Costs without a team are shared among the teams of each cluster and day. Unowned cost takes part like a team.
        Sharing changes who pays; the total stays the same. New rules apply to the whole history, but not to budget
        periods that are final.
      </p>
      <form onSubmit={save}>
        <fieldset className="flex flex-wrap items-start gap-4" disabled={!mayWrite}>
          <RuleField
            label="Unallocated capacity"
            value={fields.idle}
            of={optionalRules}
            onPick={(idle) => set({ idle })}
          />
          <RuleField
            label="Control planes"
            value={fields.overhead}
            of={optionalRules}
            onPick={(overhead) => set({ overhead })}
          />
          <TextField
            label="Shared namespaces"
            hint="Comma-separated. They serve all teams, such as monitoring"
            className="w-72"
            value={fields.namespaces}
            onChange={(namespaces) => set({ namespaces })}
            wrong={wrong('/namespaces')}
          />
          {fields.namespaces.trim() !== '' && (
            <RuleField
              label="Cost of shared namespaces"
              value={fields.namespaces_by}
              of={rules}
              onPick={(by) => set({ namespaces_by: by })}
            />
          )}
        </fieldset>
        {failure}
        {mayWrite && <button className="button button-primary mt-3 block">Save sharing rules</button>}
      </form>
    </Section>
  )
}

type RuleFieldProps<Rule extends string> = {
  label: string
  value: Rule
  of: readonly (readonly [Rule, string])[]
  onPick: (rule: Rule) => void
}

function RuleField<Rule extends string>({ label, value, of, onPick }: RuleFieldProps<Rule>) {
  return (
    <Field label={label}>
      <select className="input" value={value} onChange={(event) => onPick(event.target.value as Rule)}>
        <Options of={of} />
      </select>
    </Field>
  )
}
