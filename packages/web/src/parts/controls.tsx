import { useState, type InputHTMLAttributes, type ReactNode } from 'react'
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

export type Option = readonly [value: string, word: string]

export function Options({ of }: { of: readonly Option[] }) {
  return of.map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ))
}

type FieldProps = { label: ReactNode; children: ReactNode; hint?: ReactNode; wrong?: string | undefined }

/** An error replaces the hint. */
export function Field({ label, children, hint, wrong }: FieldProps) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
      {wrong !== undefined ? <Wrong>{wrong}</Wrong> : hint !== undefined && <span>{hint}</span>}
    </label>
  )
}

/** The error of the service, beside its field. */
export function Wrong({ children }: { children: ReactNode }) {
  return (
    <span className="tone-danger max-w-[44ch] text-sm" role="alert">
      {children}
    </span>
  )
}

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
  label: ReactNode
  hint?: ReactNode
  wrong?: string | undefined
  value: string
  onChange: (value: string) => void
}

export function TextField({ label, hint, wrong, onChange, className = '', ...input }: TextFieldProps) {
  return (
    <Field label={label} wrong={wrong} {...(hint === undefined ? {} : { hint })}>
      <input
        className={`input ${className}`}
        aria-invalid={wrong !== undefined}
        {...input}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

type KnownFieldProps = Pick<TextFieldProps, 'value' | 'onChange' | 'className'>

export function EmailField(props: KnownFieldProps) {
  return <TextField label="E-mail address" name="email" type="email" autoComplete="username" required {...props} />
}

export function PasswordField({ label = 'Password', ...props }: KnownFieldProps & { label?: string }) {
  return <TextField label={label} name="password" type="password" autoComplete="current-password" required {...props} />
}

export function NewPasswordField({ label = 'Password', ...props }: KnownFieldProps & { label?: string }) {
  return (
    <TextField
      label={label}
      hint="At least 8 characters."
      name="new-password"
      type="password"
      autoComplete="new-password"
      minLength={8}
      maxLength={1024}
      required
      {...props}
    />
  )
}

export function CopyButton({ text, what = 'Copy' }: { text: string; what?: string }) {
  const [word, setWord] = useState(what)
  const copy = async () => {
    // Without a secure context there is no clipboard; the text can still be selected.
    await navigator.clipboard?.writeText(text).then(
      () => setWord('Copied'),
      () => setWord('Select and copy'),
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

/** A secret that is shown only once. */
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
