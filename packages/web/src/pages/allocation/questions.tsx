import { useNavigate } from '@tanstack/react-router'
import { useNarrowed } from '../../api/session.ts'
import { capital } from '../../format/labels.ts'
import { Segmented } from '../../parts/controls.tsx'
import { groupings, groupingWords, isByNode, type Grouping, type Sharing } from './question.ts'

const sharings: { value: Sharing; word: string }[] = [
  { value: 'none', word: 'Show separately' },
  { value: 'even', word: 'Share evenly' },
  { value: 'proportional', word: 'Share by cost' },
]

/** The grouping, and who pays the unallocated cost. */
export function Questions({ by, share }: { by: Grouping; share: Sharing }) {
  const navigate = useNavigate({ from: '/allocation' })
  // Nodes and idle cost need access to whole clusters.
  const isNarrowed = useNarrowed() !== null
  const offered = groupings.filter((each) => !isNarrowed || !isByNode(each))
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2 text-sm text-ink-3">
      <span className="flex flex-wrap items-center gap-2">
        Group by
        <Segmented<Grouping>
          label="Group by"
          value={by}
          options={offered.map((value) => ({ value, word: capital(groupingWords[value]) }))}
          onChange={(next) => void navigate({ search: ({ namespace: _one, ...old }) => ({ ...old, by: next }) })}
        />
      </span>
      {!isByNode(by) && !isNarrowed && (
        <>
          <span className="flex flex-wrap items-center gap-2">
            Unallocated cost
            <Segmented<Sharing>
              label="Unallocated cost"
              value={share}
              options={sharings}
              onChange={(next) => void navigate({ search: (old) => ({ ...old, share: next }) })}
            />
          </span>
          <span>Sharing changes who pays; the total stays the same.</span>
        </>
      )}
    </div>
  )
}
