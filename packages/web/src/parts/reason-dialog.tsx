import { useState, type FormEvent } from 'react'
import { count } from '../format/quantity.ts'
import { Dialog, FormActions } from './dialog.tsx'

const reasons = ['Needed for a known peak', 'Rejected by the owner', 'The evidence is wrong'] as const

type Props = { ids: number; onReject: (reason: string) => void; onClose: () => void }

/** A rejection requires a reason, for later readers. */
export function ReasonDialog({ ids, onReject, onClose }: Props) {
  const [picked, setPicked] = useState<string | null>(null)
  const [own, setOwn] = useState('')
  const reason = picked === '' ? own.trim() : (picked ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onReject(reason)
  }
  return (
    <Dialog title={`Reject ${count(ids, 'recommendation')}`} onClose={onClose}>
      <form onSubmit={submit}>
        {[...reasons, ''].map((each) => (
          <label key={each} className="flex items-center justify-between border-b border-rule py-2">
            {each === '' ? 'Another reason' : each}
            <input
              type="radio"
              name="reason"
              className="choice"
              checked={picked === each}
              onChange={() => setPicked(each)}
            />
          </label>
        ))}
        {picked === '' && (
          <textarea
            className="input mt-3 w-full"
            aria-label="Your reason"
            rows={2}
            maxLength={1000}
            value={own}
            onChange={(event) => setOwn(event.target.value)}
          />
        )}
        <p className="my-3 text-sm text-ink-3">
          Rejected recommendations are withheld for 30 days, unless the workload changes or the savings grow by 50 %.
        </p>
        <FormActions word={ids > 1 ? `Reject ${ids}` : 'Reject'} isReady={reason !== ''} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
