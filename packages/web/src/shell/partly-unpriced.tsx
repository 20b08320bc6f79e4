import { Link } from '@tanstack/react-router'
import { useMayOpen } from './page-access.ts'
import { keepCluster } from './menu-pages.ts'
import { Explained } from '../parts/explained.tsx'
import { Tag } from '../parts/state-tags.tsx'

export const unpricedWords = (parts: readonly string[]) =>
  `Some resources have no price: ${parts.join(' and ')}. The totals do not include them.`

/** What a total does not include, with a link to the missing prices. */
export function PartlyUnpriced({ parts }: { parts: readonly string[] }) {
  const mayOpen = useMayOpen()
  return (
    <Explained
      title="Some resources not priced"
      how={unpricedWords(parts)}
      note={
        mayOpen('/settings/prices') ? (
          <Link to="/settings/$section" params={{ section: 'prices' }} search={keepCluster} className="link text-ink">
            Show missing prices
          </Link>
        ) : (
          'Viewing missing prices requires billing:read.'
        )
      }
    >
      <Tag tone="warn">some resources not priced</Tag>
    </Explained>
  )
}
