import { Link } from '@tanstack/react-router'
import { number } from '../../format/quantity.ts'
import { keepCluster } from '../../shell/menu-pages.ts'

/** The router would mark both links, because both lead to the path of this page. */
const current = (isShown: boolean) => ({
  activeOptions: { exact: true, includeSearch: true },
  activeProps: {},
  ...(isShown ? { 'aria-current': 'page' as const } : {}),
})

type Props = { shown: 'plan' | 'all'; steps?: number | undefined; open?: number | undefined }

/** The plan, and the list of all recommendations. */
export function ViewTabs({ shown, steps, open }: Props) {
  return (
    <nav className="tabs" aria-label="Views of the recommendations">
      <Link to="/recommendations" search={keepCluster} {...current(shown === 'plan')}>
        Plan {steps !== undefined && <span>{steps === 1 ? '1 step' : `${number(steps)} steps`}</span>}
      </Link>
      <Link
        to="/recommendations"
        search={(old) => ({ ...keepCluster(old), view: 'all' })}
        {...current(shown === 'all')}
      >
        All {open !== undefined && <span>{number(open)}</span>}
      </Link>
    </nav>
  )
}
