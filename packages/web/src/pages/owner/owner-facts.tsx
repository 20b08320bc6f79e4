import type { Allocation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { addedUp, addedUpChanges } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { OwnerLink } from '../../parts/owner-link.tsx'
import { Section } from '../../parts/section.tsx'
import { useMayOpen } from '../../shell/page-access.ts'
import { keepCluster } from '../../shell/menu-pages.ts'
import { costColumns } from '../allocation/cost-columns.ts'
import { percentText } from '../allocation/explorer-lines.ts'
import { daysText } from '../allocation/period.ts'
import { ownerCosts, ownerFacts, ownerTeam } from './facts.ts'
import type { Owner } from './owner-question.ts'

/** The cost of the period by class, its comparison, the team, and the size of a workload. */
export function OwnerFacts({ allocation, owner }: { allocation: Allocation; owner: Owner }) {
  const { window, compare, steps } = allocation
  const costs = ownerCosts(allocation)
  const columns = costColumns(costs)
  const amounts = columns.map(({ of }) => costs.reduce((sum, cost) => sum + of(cost), 0))
  const shown = addedUp(amounts)
  const compared = steps[0]?.compare?.total
  const team = ownerTeam(allocation)
  return (
    <Section title="Cost" meta={daysText(window)}>
      <p className="text-xl font-semibold">{shown.total}</p>
      {compare && compared && (
        <p className="text-ink-2">
          {addedUpChanges([compared.difference], amounts).total}
          {compared.percent !== null && ` (${percentText(compared.percent)})`} compared with {daysText(compare.window)}
        </p>
      )}
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {columns.map(({ header }, index) =>
          amounts[index] === 0 ? null : <Fact key={header} name={header} value={shown.parts[index] ?? ''} />,
        )}
        {costs.length === 1 && <Fact name="Efficiency" value={percent(costs[0]?.efficiency ?? null)} />}
        {ownerFacts(allocation).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
        {team !== null && owner.kind !== 'teams' && (
          <>
            <dt className="text-ink-2">Team</dt>
            <dd className="text-right">
              {team === '__none__' ? (
                'no team'
              ) : (
                <OwnerLink kind="teams" name={team} keepsPeriod>
                  {team}
                </OwnerLink>
              )}
            </dd>
          </>
        )}
      </dl>
      <Recommendations owner={owner} />
    </Section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-right">{value}</dd>
    </>
  )
}

/** The open recommendations and plan steps of the owner. */
function Recommendations({ owner: { kind, name } }: { owner: Owner }) {
  const mayOpen = useMayOpen()
  if (kind === 'nodes' && mayOpen('/nodes'))
    return (
      <p className="mt-3">
        <Link to="/nodes" search={(old) => ({ ...keepCluster(old), node: name })} className="link">
          Utilization and drain blockers
        </Link>
      </p>
    )
  if ((kind !== 'workloads' && kind !== 'namespaces') || !mayOpen('/recommendations')) return null
  const [namespace = '', , workload] = name.split('/')
  return (
    <p className="mt-3">
      <Link
        to="/recommendations"
        search={(old) => ({ ...keepCluster(old), namespace, ...(workload === undefined ? {} : { text: workload }) })}
        className="link"
      >
        Open recommendations and plan steps
      </Link>
    </p>
  )
}
