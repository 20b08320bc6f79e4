import type { Policy } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { catalogueQuery } from '../../../api/queries.ts'
import { useMay, useNarrowed } from '../../../api/session.ts'
import { Field, TextField } from '../../../parts/controls.tsx'

type Props = { policies: readonly Policy[]; namespace: string | null; onPick: (namespace: string | null) => void }

/** The whole cluster, or a namespace with its own policy. */
export function ScopePicker({ policies, namespace, onPick }: Props) {
  const may = useMay()
  const narrowed = useNarrowed()
  const [isAdding, setAdding] = useState(false)
  const mayWrite = may('settings:write')
  const own = policies.flatMap((each) => each.namespace ?? [])
  // A role limited to namespaces sees all of them, so it needs no input field.
  const offered = mayWrite ? (narrowed ?? []) : []
  const shown = [...new Set([...own, ...offered, ...(namespace === null ? [] : [namespace])])].sort()
  const pick = (wanted: string | null) => {
    setAdding(false)
    onPick(wanted)
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label="Scope">
        <select
          className="input w-56"
          value={namespace ?? ''}
          onChange={(event) => pick(event.target.value === '' ? null : event.target.value)}
        >
          <option value="">whole cluster</option>
          {shown.map((each) => (
            <option key={each} value={each}>
              {`namespace ${each}`}
            </option>
          ))}
        </select>
      </Field>
      {mayWrite &&
        narrowed === null &&
        (isAdding ? (
          <NamespaceForm onPick={pick} />
        ) : (
          <button type="button" className="button h-8" onClick={() => setAdding(true)}>
            Add namespace policy…
          </button>
        ))}
    </div>
  )
}

function NamespaceForm({ onPick }: { onPick: (namespace: string) => void }) {
  const may = useMay()
  const id = useId()
  const known = useQuery({ ...catalogueQuery, enabled: may('reports:read') })
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onPick(name.trim())
  }
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <TextField
        label="Namespace"
        className="w-48"
        list={id}
        required
        autoFocus
        maxLength={63}
        pattern="[a-z0-9]([\-a-z0-9]*[a-z0-9])?"
        title="Lowercase letters, digits and hyphens"
        value={name}
        onChange={setName}
      />
      <datalist id={id}>
        {known.data?.namespaces.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <button className="button h-8">Add policy</button>
    </form>
  )
}
