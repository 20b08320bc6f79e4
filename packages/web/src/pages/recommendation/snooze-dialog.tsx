import { useState, type FormEvent } from 'react'
import { dayMs } from '../../format/time.ts'
import { Dialog, FormActions } from '../../parts/dialog.tsx'
import { useNow } from '../../parts/now.ts'

const choices = [
  { days: 7, word: '1 week' },
  { days: 30, word: '1 month' },
  { days: 90, word: '3 months' },
] as const

type Props = { onSnooze: (until: string) => void; onClose: () => void }

/** Hides a recommendation for a time without rejecting it. */
export function SnoozeDialog({ onSnooze, onClose }: Props) {
  const [days, setDays] = useState<number>(choices[0].days)
  const now = useNow()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSnooze(new Date(now.getTime() + days * dayMs).toISOString())
  }
  return (
    <Dialog title="Snooze this recommendation" onClose={onClose}>
      <form onSubmit={submit}>
        {choices.map((choice) => (
          <label key={choice.days} className="flex items-center justify-between border-b border-rule py-2">
            {choice.word}
            <input
              type="radio"
              name="days"
              className="choice"
              checked={days === choice.days}
              onChange={() => setDays(choice.days)}
            />
          </label>
        ))}
        <p className="my-3 text-sm text-ink-3">Until then, the recommendation is hidden from lists and totals.</p>
        <FormActions word="Snooze" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
