import { Popover } from 'radix-ui'
import { useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { Segmented } from '../../parts/controls.tsx'
import { comparisons, windowWords, type ComparedWith, type ShownWindow } from '../../url-parameters.ts'
import { defaultWindow, periodText, type PeriodChoice } from './period.ts'

type Props = {
  value: PeriodChoice
  onChoose: (next: PeriodChoice) => void
  /** For pages that show a comparison only. */
  isAlwaysCompared?: boolean
}

const compareWords: Record<ComparedWith, string> = {
  previous: 'previous period',
  year: 'last year',
  custom: 'custom',
  off: 'none',
}

/** The period and the period to compare with. */
export function PeriodPicker({ value, onChoose, isAlwaysCompared = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  const choose = (next: PeriodChoice) => {
    onChoose(next)
    setOpen(false)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="button" aria-label={`Period: ${periodText(value)}`}>
        {periodText(value)}
        <Icon name="chevron" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="pop period" align="end" sideOffset={6} collisionPadding={12} aria-label="Period">
          <PeriodForm value={value} onChoose={choose} isAlwaysCompared={isAlwaysCompared} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function PeriodForm({ value, onChoose, isAlwaysCompared = false }: Props) {
  const [draft, setDraft] = useState(value)
  const { against = 'previous', from, to } = draft
  const isCustom = from !== undefined && to !== undefined
  const isValid =
    inOrder(from, to) && (against !== 'custom' || inOrder(draft.compare_from ?? '', draft.compare_to ?? ''))
  const name = ({ from: _from, to: _to, ...rest }: PeriodChoice, window: ShownWindow) => ({ ...rest, window })
  return (
    <>
      <div className="period-names">
        {(Object.entries(windowWords) as [ShownWindow, string][]).map(([window, word]) => (
          <button
            key={window}
            type="button"
            aria-pressed={!isCustom && (draft.window ?? defaultWindow) === window}
            onClick={() => onChoose(name(draft, window))}
          >
            {word}
          </button>
        ))}
      </div>
      <form
        className="period-days"
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid) onChoose(draft)
        }}
      >
        <Days
          legend="Custom period, UTC"
          from={from}
          to={to}
          onChange={(days) => setDraft(({ window: _any, ...old }) => ({ ...old, ...days }))}
        />
        <div className="grid gap-1.5">
          <span className="text-ink-3">Compare with</span>
          <Segmented<ComparedWith>
            label="Compare with"
            value={against}
            options={comparisons
              .filter((each) => !isAlwaysCompared || each !== 'off')
              .map((each) => ({ value: each, word: compareWords[each] }))}
            onChange={(next) => setDraft((old) => ({ ...old, against: next }))}
          />
        </div>
        {against === 'custom' && (
          <Days
            legend="Period to compare with, UTC"
            from={draft.compare_from}
            to={draft.compare_to}
            onChange={({ from: first, to: last }) =>
              setDraft((old) => ({ ...old, compare_from: first, compare_to: last }))
            }
          />
        )}
        <div className="flex items-center justify-end gap-2">
          {!isValid && <span className="text-ink-3">The first day must not be after the last day.</span>}
          <button type="submit" className="button button-primary" disabled={!isValid}>
            Apply
          </button>
        </div>
      </form>
    </>
  )
}

const inOrder = (from: string | undefined, to: string | undefined) =>
  (from === undefined && to === undefined) ||
  (from !== undefined && from !== '' && to !== undefined && to !== '' && from <= to)

type DaysProps = {
  legend: string
  from: string | undefined
  to: string | undefined
  onChange: (days: { from: string; to: string }) => void
}

function Days({ legend, from = '', to = '', onChange }: DaysProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-ink-3">{legend}</legend>
      <span className="flex flex-wrap items-center gap-2">
        <input
          type="date"
          className="input"
          aria-label="First day"
          value={from}
          onChange={(event) => onChange({ from: event.target.value, to: to === '' ? event.target.value : to })}
        />
        –
        <input
          type="date"
          className="input"
          aria-label="Last day"
          value={to}
          onChange={(event) => onChange({ from: from === '' ? event.target.value : from, to: event.target.value })}
        />
      </span>
    </fieldset>
  )
}
