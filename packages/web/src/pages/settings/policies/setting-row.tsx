import type { ReactNode } from 'react'
import { Segmented, Wrong } from '../../../parts/controls.tsx'
import { BackButton, OriginTag } from './origin.tsx'
import type { Layers } from './policy-draft.ts'
import { textFor, wordsFor, type PolicyField } from './policy-fields.ts'

type RowProps = { label: string; value: ReactNode; end: ReactNode }

/** Name, value and origin of a setting; stacked on a phone. */
function Row({ label, value, end }: RowProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-rule py-1.5 phone:min-h-10 phone:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,4fr)]">
      <dt className="col-span-2 text-ink-2 phone:col-span-1">{label}</dt>
      <dd className="[overflow-wrap:anywhere]">{value}</dd>
      <dd className="flex flex-wrap items-center justify-end gap-x-2">{end}</dd>
    </div>
  )
}

export function ReadRow({ field, layers }: { field: PolicyField; layers: Layers }) {
  return (
    <Row
      label={field.label}
      value={wordsFor(field, layers.holding)}
      end={<OriginTag origin={layers.originOf(field.name)} />}
    />
  )
}

type EditRowProps = {
  field: PolicyField
  layers: Layers
  /** Undefined: untouched; null: reset. */
  typed: string | null | undefined
  wrong: string | undefined
  onType: (typed: string | null) => void
}

export function EditRow({ field, layers, typed, wrong, onType }: EditRowProps) {
  const shown = typed === null ? layers.inherited : layers.holding
  const origin = typed === undefined ? layers.originOf(field.name) : typed === null ? layers.wider(field.name) : 'here'
  return (
    <Row
      label={field.label}
      value={
        <>
          <Control field={field} text={typed ?? textFor(field, shown)} isWrong={wrong !== undefined} onType={onType} />
          {wrong !== undefined && <Wrong>{field.kind === 'share' ? 'must be from 0 to 100 %' : wrong}</Wrong>}
        </>
      }
      end={
        <>
          {typed !== undefined && (
            <span className="text-sm text-ink-3">currently {wordsFor(field, layers.holding)}</span>
          )}
          {origin === 'here' ? (
            <BackButton to={layers.wider(field.name)} what={field.label} onBack={() => onType(null)} />
          ) : (
            <OriginTag origin={origin} />
          )}
        </>
      }
    />
  )
}

type ControlProps = { field: PolicyField; text: string; isWrong: boolean; onType: (text: string) => void }

function Control({ field, text, isWrong, onType }: ControlProps) {
  if (field.kind === 'choice') return <Choice field={field} text={text} onType={onType} />
  const isNumber = field.kind !== 'labels'
  return (
    <span className="flex items-center gap-1.5">
      <input
        className={`input h-7 ${isNumber ? 'w-24 text-right' : 'w-full'}`}
        aria-label={field.label}
        aria-invalid={isWrong}
        inputMode={isNumber ? 'decimal' : 'text'}
        value={text}
        onChange={(event) => onType(event.target.value)}
      />
      {isNumber && <span className="text-sm text-ink-3">{field.unit}</span>}
    </span>
  )
}

type ChoiceProps = Omit<ControlProps, 'isWrong'> & { field: Extract<PolicyField, { kind: 'choice' }> }

function Choice({ field, text, onType }: ChoiceProps) {
  const options = [field.given, !field.given].map((value) => ({ value: String(value), word: field.words(value) }))
  return <Segmented label={field.label} value={text} options={options} onChange={onType} />
}
