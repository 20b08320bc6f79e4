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
              aria-label="Select all that are shown"
              checked={isAll}
              onChange={selection.toggleAll}
            />
          )}
        </span>
        <span role="columnheader">{isBare ? 'Group' : 'Workload'}</span>
        <span role="columnheader" className="rec-why">
          Why
        </span>
        <span role="columnheader" className="rec-change">
          Change
        </span>
        <SortHeader
          field="bankable_savings"
          word="Bankable"
          meaning="Its share of the nodes that go if all open advice is followed. Alone it may free nothing: select it to see. Idle room goes with nodes, so it can be more than estimated."
        />
        <SortHeader
          field="estimated_savings"
          word="Estimated"
          meaning="What would be asked for less, at the price of the nodes."
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
