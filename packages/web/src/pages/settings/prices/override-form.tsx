import type { PriceOverrideKind } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { Segmented, Wrong } from '../../../parts/controls.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { useToast } from '../../../parts/toast.tsx'
import { draftFields, draftFor, overrideBody, type OverrideDraft } from './override-draft.ts'
import { ClusterChoice, fieldsOf, WhenAndWhy } from './override-fields.tsx'

const kinds: { value: PriceOverrideKind; word: string }[] = [
  { value: 'discount', word: 'Discount' },
  { value: 'node_price', word: 'Node price' },
  { value: 'custom_rates', word: 'Custom rates' },
]

const meanings: Record<PriceOverrideKind, string> = {
  discount: 'A percentage off all list prices of a provider, for example from a contract.',
  node_price: 'Hourly price of one instance type. A node price overrides custom rates and discounts.',
  custom_rates:
    'Monthly rates (730 hours) for one cluster, for example on your own hardware. Custom rates override discounts.',
}

const pointers = ['/kind', ...draftFields.map((field) => `/${field}`)]
/** Replaces an error text that names API fields. */
const ownWords = { '/kind required': 'Enter at least one rate.' }
const empty: OverrideDraft = {}

export function OverrideForm({ onMade }: { onMade: () => void }) {
  const [kind, setKind] = useState<PriceOverrideKind>('discount')
  const [typed, setTyped] = useState(empty)
  const [failure, run, wrongAt] = useFailure(pointers, ownWords)
  const toast = useToast()
  const draft = draftFor(kind, typed)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(() => api.createPriceOverride({ body: overrideBody(kind, draft) })))) return
    setTyped(empty)
    toast({ text: 'Saved. Plimsoll recalculates the stored hours since the start of the override.' })
    onMade()
  }
  const Fields = fieldsOf[kind]
  const bound: Parameters<typeof Fields>[0] = {
    draft,
    wrong: (field) => wrongAt(`/${field}`),
    set: (field, text) => setTyped((old) => ({ ...old, [field]: text })),
  }
  return (
    <form className="mb-4 grid gap-3" onSubmit={(event) => void submit(event)}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Segmented label="Kind of override" value={kind} options={kinds} onChange={setKind} />
        <span className="text-ink-2">{meanings[kind]}</span>
      </div>
      <div className="flex flex-wrap items-start gap-3">
        <Fields {...bound} />
      </div>
      {wrongAt('/kind') !== undefined && <Wrong>{wrongAt('/kind')}</Wrong>}
      <div className="flex flex-wrap items-start gap-3">
        <ClusterChoice {...bound} isNeeded={kind === 'custom_rates'} />
        <WhenAndWhy {...bound} />
        <button className="button mt-[22px] h-8">{`Add ${words[kind]}`}</button>
      </div>
      {failure}
    </form>
  )
}

const words: Record<PriceOverrideKind, string> = {
  discount: 'discount',
  node_price: 'node price',
  custom_rates: 'custom rates',
}
