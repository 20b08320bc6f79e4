import { useState, type FormEvent } from 'react'
import { useFailure } from '../../../parts/states.tsx'
import { useToast } from '../../../parts/toast.tsx'
import { settingsWith, type Draft, type Layers } from './policy-draft.ts'
import { policyFields } from './policy-fields.ts'
import { EditRow } from './setting-row.tsx'
import type { PolicyEdit } from './use-policy-edit.ts'

const pointer = (name: string) => `/settings/${name}`
const pointers = policyFields.map(({ name }) => pointer(name))

type Props = { layers: Layers; edit: PolicyEdit; onDone: () => void }

/** Changes of other users appear in untouched fields, and beside touched ones. */
export function PolicyForm({ layers, edit, onDone }: Props) {
  const [draft, setDraft] = useState<Draft>({})
  const [failure, run, wrong] = useFailure(pointers)
  const toast = useToast()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await edit(run, (own) => settingsWith(own, draft)))) return
    toast({ text: 'Saved. Applies from the next analysis.' })
    onDone()
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <dl>
        {policyFields.map((field) => (
          <EditRow
            key={field.name}
            field={field}
            layers={layers}
            typed={draft[field.name]}
            wrong={wrong(pointer(field.name))}
            onType={(typed) => setDraft((old) => ({ ...old, [field.name]: typed }))}
          />
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <button className="button button-primary" disabled={Object.keys(draft).length === 0}>
          Save
        </button>
        <button type="button" className="button button-quiet" onClick={onDone}>
          Cancel
        </button>
        {failure}
      </div>
    </form>
  )
}
