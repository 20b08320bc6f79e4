import { useNavigate, useSearch } from '@tanstack/react-router'
import { defaultSort } from '../../url-parameters.ts'

type Props = {
  field: 'bankable_savings' | 'estimated_savings' | 'severity'
  word: string
  meaning: string
  className?: string
}

export function SortHeader({ field, word, meaning, className = 'text-right' }: Props) {
  const { sort = defaultSort } = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate({ from: '/recommendations' })
  const isSorted = sort.replace('-', '') === field
  const next = sort === `-${field}` ? field : `-${field}`
  return (
    <span
      role="columnheader"
      className={className}
      aria-sort={isSorted ? (sort.startsWith('-') ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        title={meaning}
        className={isSorted ? 'font-medium text-ink' : 'hover:text-ink'}
        onClick={() => void navigate({ search: (old) => ({ ...old, sort: next, view: 'all' }) })}
      >
        {word}
        {isSorted && (sort.startsWith('-') ? ' ↓' : ' ↑')}
      </button>
    </span>
  )
}
