import { useState, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

type SegmentedProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; word: ReactNode }[]
  onChange: (value: Value) => void
}

export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <div className="segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.word}
        </button>
      ))}
    </div>
  )
}

export function Field({ label, children, hint }: { label: ReactNode; children: ReactNode; hint?: ReactNode }) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <span>{hint}</span>}
    </label>
  )
}

export function CopyButton({ text, what = 'Copy' }: { text: string; what?: string }) {
  const [word, setWord] = useState(what)
  const copy = async () => {
    // Without a secure context there is no clipboard; the text can still be selected.
    await navigator.clipboard?.writeText(text).then(
      () => setWord('Copied'),
      () => setWord('Select it and copy'),
    )
    setTimeout(() => setWord(what), 2000)
  }
  return (
    <button type="button" className="button button-small" onClick={() => void copy()}>
      <Icon name="copy" />
      <span aria-live="polite">{word}</span>
    </button>
  )
}

/** What is shown once and never again. */
export function Secret({ value }: { value: string }) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <code className="rounded border border-rule-strong bg-raised px-2.5 py-1.5 [overflow-wrap:anywhere]">
        {value}
      </code>
      <CopyButton text={value} />
    </div>
  )
}
