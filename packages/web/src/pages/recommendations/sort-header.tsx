import { useNavigate, useSearch } from '@tanstack/react-router'
import { defaultSort } from '../../search.ts'

type Props = { field: 'bankable_savings' | 'estimated_savings'; word: string; meaning: string }

export function SortHeader({ field, word, meaning }: Props) {
  const { sort = defaultSort } = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate({ from: '/recommendations' })
  const isSorted = sort.replace('-', '') === field
  const next = sort === `-${field}` ? field : `-${field}`
  return (
    <span
      role="columnheader"
      className="text-right"
      aria-sort={isSorted ? (sort.startsWith('-') ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        title={meaning}
        className={isSorted ? 'font-medium text-ink' : 'hover:text-ink'}
        onClick={() => void navigate({ search: (old) => ({ ...old, sort: next }) })}
      >
        {word}
        {isSorted && (sort.startsWith('-') ? ' ↓' : ' ↑')}
      </button>
    </span>
  )
}
