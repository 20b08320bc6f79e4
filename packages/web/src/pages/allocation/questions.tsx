import type { Allocation } from '@plimsoll/contract'
import { useNavigate } from '@tanstack/react-router'
import { useIsLimited } from '../../api/session.ts'
import { capital } from '../../format/labels.ts'
import { Options } from '../../parts/controls.tsx'
import type { ExplorerChange, ExplorerSearch } from '../../url-parameters.ts'
import { FilterChips } from './filter-chips.tsx'
import {
  doCombine,
  groupingName,
  groupings,
  isByNode,
  isLabel,
  type Grouping,
  type Question,
  type Sharing,
} from './question.ts'

const sharings: { value: Sharing; word: string }[] = [
  { value: 'none', word: 'shown separately' },
  { value: 'even', word: 'shared evenly' },
  { value: 'proportional', word: 'shared by cost' },
  { value: 'statements', word: 'shared as on statements' },
]

type Props = { search: ExplorerSearch; question: Question; allocation: Allocation | undefined }

/** The levels of the grouping, who pays the unallocated cost, and the filters. */
export function Questions({ search, question, allocation }: Props) {
  const navigate = useNavigate({ from: '/allocation' })
  const change = (next: ExplorerChange) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as ExplorerSearch & { cluster?: string } })
  const isNarrowed = useIsLimited()
  const { levels, share } = question
  const [by, then] = levels
  return (
    <div className="mb-4 grid gap-2 text-sm text-ink-3">
      <div className="flex flex-wrap items-center gap-2">
        Group by
        <LevelPicker
          label="Group by"
          value={by}
          isOffered={(each) => !isNarrowed || !isByNode(each)}
          onPick={(next) => change({ by: next })}
        />
        then
        <LevelPicker
          label="Second level"
          value={then}
          isOffered={(each) => each !== by && doCombine(by, each) && (!isNarrowed || !isByNode(each))}
          onPick={(next) => change({ then: next })}
        />
        {!levels.some(isByNode) && !isNarrowed && (
          <select
            className="input"
            aria-label="Unallocated cost"
            value={share}
            title="Sharing changes who pays; the total stays the same."
            onChange={(event) => change({ share: event.target.value })}
          >
            <Options of={sharings.map(({ value, word }) => [value, `Unallocated ${word}`])} />
          </select>
        )}
      </div>
      <FilterChips
        search={search}
        clusters={allocation?.clusters ?? []}
        levels={levels}
        rows={allocation?.steps[0]?.rows ?? []}
        onChange={change}
      />
    </div>
  )
}

type LevelProps = {
  label: string
  value: Grouping | undefined
  isOffered: (by: Grouping) => boolean
  onPick: (next: string | undefined) => void
}

/** A label is typed, because a cluster can have any. */
function LevelPicker({ label, value, isOffered, onPick }: LevelProps) {
  const key = value?.startsWith('label:') ? value.slice('label:'.length) : undefined
  const offered = groupings.filter(isOffered)
  return (
    <>
      <select
        className="input"
        aria-label={label}
        value={key === undefined ? (value ?? '') : 'label'}
        onChange={({ target: { value: next } }) =>
          onPick(next === '' ? undefined : next === 'label' ? 'label:app' : next)
        }
      >
        {label !== 'Group by' && <option value="">nothing</option>}
        <Options
          of={[...offered.map((each): [string, string] => [each, capital(groupingName(each))]), ['label', 'Label …']]}
        />
      </select>
      {key !== undefined && (
        <input
          className="input w-32"
          aria-label={`${label}: label key`}
          key={key}
          defaultValue={key}
          onBlur={({ target: { value: next } }) =>
            isLabel(`label:${next.trim()}`) && next.trim() !== key && onPick(`label:${next.trim()}`)
          }
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
    </>
  )
}
