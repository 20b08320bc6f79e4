import type { Recommendation, RecommendationList } from '@plimsoll/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { RecommendationFilters } from '../../api/queries.ts'
import { ruleName } from '../../format/words.ts'

const statuses = ['pending', 'approved', 'implemented', 'rejected', 'resolved', 'superseded', 'expired'] as const
const levels = ['low', 'medium', 'high'] as const

type Props = { rows: readonly Recommendation[]; totals: RecommendationList['totals'] | undefined }

/** All of it is in the address: a view can be shared and found again. */
export function Filters({ rows, totals }: Props) {
  const search = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate({ from: '/recommendations' })
  const set = (changed: RecommendationFilters) =>
    void navigate({ search: (old) => strip({ ...old, ...changed }), replace: true })
  const isFiltered = Object.keys(search).some((name) => name !== 'cluster' && name !== 'sort' && name !== 'status')
  return (
    <div className="mb-3 flex flex-wrap items-end gap-2">
      <Choice
        label="Status"
        value={search.status ?? 'pending'}
        options={statuses.map((status) => [status, totals ? `${status} (${totals[status].count})` : status])}
        onChange={(status) => set({ status: status === 'pending' ? undefined : status })}
      />
      <Choice
        label="Risk"
        value={search.risk ?? ''}
        options={[['', 'any risk'], ...levels.map((level): [string, string] => [level, `${level} risk`])]}
        onChange={(risk) => set({ risk })}
      />
      <Choice
        label="Why"
        value={search.rule ?? ''}
        options={[
          ['', 'any reason'],
          ...choices(
            rows.map(({ rule_id: id }) => id),
            search.rule,
            ruleName,
          ),
        ]}
        onChange={(rule) => set({ rule })}
      />
      <Choice
        label="Namespace"
        value={search.namespace ?? ''}
        options={[
          ['', 'any namespace'],
          ...choices(
            rows.map(({ namespace }) => namespace),
            search.namespace,
          ),
        ]}
        onChange={(namespace) => set({ namespace })}
      />
      <Choice
        label="At least"
        value={String(search.min ?? '')}
        options={[
          ['', 'any saving'],
          ['10', '≥ $10/mo'],
          ['40', '≥ $40/mo'],
          ['100', '≥ $100/mo'],
        ]}
        onChange={(min) => set({ min: min === '' ? undefined : Number(min) })}
      />
      <TextFilter value={search.text ?? ''} onChange={(text) => set({ text })} />
      {isFiltered && (
        <button
          type="button"
          className="link h-8 px-1"
          onClick={() => void navigate({ search: ({ cluster, sort }) => strip({ cluster, sort }) })}
        >
          Clear all
        </button>
      )}
    </div>
  )
}

type Stripped = RecommendationFilters & { cluster?: string }

/** What is not set has no place in the address. */
const strip = (filters: RecommendationFilters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')) as Stripped

function choices(values: readonly string[], picked: string | undefined, word = (value: string) => value) {
  const all = new Set([...values, ...(picked === undefined ? [] : [picked])])
  return [...all]
    .filter((value) => value !== '')
    .sort()
    .map((value): [string, string] => [value, word(value)])
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly (readonly [value: string, word: string])[]
  onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select
      className="input max-w-[24ch]"
      aria-label={label}
      value={value}
      data-set={value !== ''}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map(([each, word]) => (
        <option key={each} value={each}>
          {word}
        </option>
      ))}
    </select>
  )
}

const pauseMs = 300

/** Asks when the typing pauses: each letter would be a request. */
function TextFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), pauseMs)
    return () => clearTimeout(timer)
    // Only what was typed starts the pause again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  return (
    <input
      className="input w-48"
      type="search"
      placeholder="Name contains …"
      aria-label="Name contains"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
