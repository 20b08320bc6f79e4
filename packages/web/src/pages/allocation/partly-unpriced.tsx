import { Link } from '@tanstack/react-router'
import { Explained } from '../../parts/explained.tsx'
import { Tag } from '../../parts/marks.tsx'
import { keepCluster } from '../../shell/places.ts'
import type { Cost } from './cost-columns.ts'

const words: Record<Cost['unpriced_parts'][number], string> = {
  compute: 'its nodes',
  assets: 'its volumes, balancers or control planes',
}

/** What is missing in the figures of a row, and where one sees which price it is. */
export function PartlyUnpriced({ cost }: { cost: Pick<Cost, 'unpriced_parts'> }) {
  const what = cost.unpriced_parts.map((part) => words[part]).join(' and of ') || 'what it used'
  return (
    <Explained
      title="Partly unpriced"
      how={`A part of ${what} has no price: it is in no sum here, and not free.`}
      note={
        <Link to="/settings/$section" params={{ section: 'prices' }} search={keepCluster} className="link text-ink">
          Which prices are missing
        </Link>
      }
    >
      <Tag tone="warn">partly unpriced</Tag>
    </Explained>
  )
}
