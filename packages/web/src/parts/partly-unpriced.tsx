import { Link } from '@tanstack/react-router'
import { useMayOpen } from '../shell/page-access.ts'
import { keepCluster } from '../shell/places.ts'
import { Explained } from './explained.tsx'
import { Tag } from './marks.tsx'

export const unpricedWords = (parts: readonly string[]) =>
  `A part of ${parts.join(' and of ')} has no price: it is in no sum here, and not free.`

/** What is missing in a sum, and where one sees which price it is. */
export function PartlyUnpriced({ parts }: { parts: readonly string[] }) {
  const mayOpen = useMayOpen()
  return (
    <Explained
      title="Partly unpriced"
      how={unpricedWords(parts)}
      note={
        mayOpen('/settings/prices') ? (
          <Link to="/settings/$section" params={{ section: 'prices' }} search={keepCluster} className="link text-ink">
            Which prices are missing
          </Link>
        ) : (
          'People with billing:read see which prices are missing.'
        )
      }
    >
      <Tag tone="warn">partly unpriced</Tag>
    </Explained>
  )
}
