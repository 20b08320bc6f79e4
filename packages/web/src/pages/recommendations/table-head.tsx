import type { Selection } from './selection.ts'
import { SortHeader } from './sort-header.tsx'

const columns = [
  ['rec-risk', 'Risk'],
  ['rec-confidence', 'Confidence'],
  ['rec-age text-right', 'Age'],
  ['rec-cluster', 'Cluster'],
] as const

type Props = { selection: Selection; isAll: boolean; isBare: boolean }

export function TableHead({ selection, isAll, isBare }: Props) {
  return (
    <div role="rowgroup">
      <div role="row" className="rec-row rec-head">
        <span role="columnheader" className="rec-box">
          {!isBare && (
            <input
              type="checkbox"
              className="choice"
              aria-label="Select all shown rows"
              checked={isAll}
              onChange={selection.toggleAll}
            />
          )}
        </span>
        <span role="columnheader">{isBare ? 'Group' : 'Workload'}</span>
        <span role="columnheader" className="rec-why">
          Rule
        </span>
        <span role="columnheader" className="rec-change">
          Change
        </span>
        <SortHeader
          field="bankable_savings"
          word="Bankable"
          meaning="Share of the plan step. Approving other recommendations does not change it. Removed nodes include unallocated capacity, so bankable can exceed estimated."
        />
        <SortHeader field="estimated_savings" word="Estimated" meaning="Value of the freed requests at node prices." />
        <SortHeader
          field="severity"
          word="Severity"
          meaning="Critical if pods are OOM-killed; otherwise by bankable savings relative to the cost of the cluster."
          className="rec-severity"
        />
        {columns.map(([className, word]) => (
          <span key={word} role="columnheader" className={className}>
            {word}
          </span>
        ))}
      </div>
    </div>
  )
}
