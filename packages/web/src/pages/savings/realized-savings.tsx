import { Link } from '@tanstack/react-router'
import { sumDollars } from '../../format/money.ts'
import { Explained } from '../../parts/explained.tsx'
import { useMayOpen } from '../../shell/page-access.ts'
import { keepCluster } from '../../shell/menu-pages.ts'

/** Realized savings in dollars, separate from dollars per month and from the bill. */
export function RealizedSavings({ verified }: { verified: number }) {
  const mayOpen = useMayOpen()
  return (
    <dl className="mt-4 border-t border-rule pt-3">
      <dt className="text-ink-2">Realized savings</dt>
      <dd className="fig-2">
        <Explained
          title={`Realized savings: ${sumDollars(verified)}`}
          how="Sum of observed savings since each change, in dollars (not per month)."
          note="This is the value of freed requests. The provider charges for nodes, so the bill drops when nodes are removed."
        >
          {sumDollars(verified)}
        </Explained>
      </dd>
      <dd className="text-sm text-ink-3">
        Capacity freed, valued at node prices. The bill drops only when nodes are removed.{' '}
        {mayOpen('/') && (
          <Link to="/" search={keepCluster} className="link">
            Show cost changes
          </Link>
        )}
      </dd>
    </dl>
  )
}
