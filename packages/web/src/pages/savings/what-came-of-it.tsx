import type { Overview } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { overviewQuery } from '../../api/queries.ts'
import { change, dollars, exactDollars } from '../../format/money.ts'
import { Explained } from '../../parts/explained.tsx'
import { keepCluster } from '../../shell/places.ts'
import { notCompared } from '../overview/not-compared.ts'

/** Money that has gone by, apart from the dollars a month; and the bill, which is another thing again. */
export function WhatCameOfIt({ verified, cluster }: { verified: number; cluster: string | undefined }) {
  const { data: overview } = useQuery(overviewQuery(cluster))
  return (
    <dl className="mt-4 grid gap-x-8 gap-y-3 border-t border-rule pt-3 phone:grid-cols-2">
      <div>
        <dt className="text-ink-2">Freed so far</dt>
        <dd className="fig-2">
          <Explained
            title={`Freed so far: ${exactDollars(verified)}`}
            how="The observed, hour by hour, while each change lasts: dollars, not dollars a month."
            note="It is what the room is worth that nobody asks for any more. The provider charges for nodes, so the bill falls when nodes go."
          >
            {exactDollars(verified)}
          </Explained>
        </dd>
        <dd className="text-sm text-ink-3">in room, at the price of the nodes. It is not a fall of the bill.</dd>
      </div>
      {overview?.week && <TheBill overview={overview} week={overview.week} />}
    </dl>
  )
}

function TheBill({ overview, week }: { overview: Overview; week: NonNullable<Overview['week']> }) {
  const without = notCompared(overview)
  return (
    <div>
      <dt className="text-ink-2">The whole bill, since a week ago</dt>
      <dd className="fig-2">
        {change(week.now - week.before)}
        <span className="unit">/mo</span>
      </dd>
      <dd className="text-sm text-ink-3">
        {dollars(week.before)} → {dollars(week.now)}, whatever the cause{without !== '' && `, ${without}`}:{' '}
        <Link to="/" search={keepCluster} className="link">
          what moved
        </Link>
      </dd>
    </div>
  )
}
