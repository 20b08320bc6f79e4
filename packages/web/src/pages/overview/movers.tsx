import type { Mover, Overview } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { addedUpChanges } from '../../format/money.ts'
import { withUnits } from '../../format/quantity.ts'
import { OwnerLink } from '../../parts/owner-link.tsx'
import { Section } from '../../parts/section.tsx'
import { useNow } from '../../parts/now.ts'
import { useMayOpen } from '../../shell/page-access.ts'
import { keepCluster } from '../../shell/menu-pages.ts'
import { nameIn } from './name-in.ts'
import { notCompared } from './not-compared.ts'

const shownMax = 5

export function Movers({ overview }: { overview: Overview }) {
  const { week } = overview
  const movers = overview.movers.slice(0, shownMax)
  const other = overview.movers.slice(shownMax).reduce((sum, each) => sum + each.change, overview.other_change)
  const { parts, total } = addedUpChanges([...movers.map((mover) => mover.change), other])
  const nameOf = nameIn(overview)
  const without = notCompared(overview)
  return (
    <Section title="Run rate changes since last week" end={week ? <NetChange total={total} /> : undefined}>
      {week !== null && without !== '' && <p className="text-sm text-ink-3">{upperFirst(without)}</p>}
      {week === null ? (
        <p className="py-2 text-ink-3">No earlier week to compare with.</p>
      ) : movers.length === 0 ? (
        <p className="py-2 text-ink-3">No changes.</p>
      ) : (
        <ul>
          {movers.map((mover, index) => (
            <li
              key={`${mover.cluster_id} ${mover.kind} ${mover.namespace} ${mover.workload_kind} ${mover.name}`}
              className="flex items-baseline justify-between gap-3 border-b border-rule py-1.5"
            >
              <div className="min-w-0">
                <p className="truncate">
                  <MoverLink mover={mover} />{' '}
                  <span className="text-ink-3 max-phone:block">{nameOf(mover.cluster_id)}</span>
                </p>
                <p className="text-sm text-ink-2">{withUnits(mover.cause)}</p>
              </div>
              <b className="font-medium whitespace-nowrap">{parts[index]}</b>
            </li>
          ))}
          <li className="flex justify-between py-1.5 text-ink-2">
            Other changes <span>{parts.at(-1)}</span>
          </li>
        </ul>
      )}
    </Section>
  )
}

function NetChange({ total }: { total: string }) {
  const mayOpen = useMayOpen()
  const days = sameDays(useNow())
  if (!mayOpen('/changes')) return <>net {total}/month</>
  return (
    <>
      net {total}/month ·{' '}
      <Link to="/changes" search={(old) => ({ ...keepCluster(old), ...days })} className="link">
        Show causes, yesterday and a week before
      </Link>
    </>
  )
}

/** The run rate compares a day with the same day one week earlier, so the causes are those of two such days. */
function sameDays(now: Date) {
  const dayMs = 86_400_000
  const dayBefore = (days: number) => new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
  const [last, earlier] = [dayBefore(1), dayBefore(8)]
  return { from: last, to: last, against: 'custom' as const, compare_from: earlier, compare_to: earlier }
}

/** A workload has a page; the causes of other costs are on the Changes page. */
function MoverLink({ mover }: { mover: Mover }) {
  const mayOpen = useMayOpen()
  const name = nameOfMover(mover)
  if (!mayOpen('/changes')) return <b className="font-medium">{name}</b>
  const { cluster_id: cluster } = mover
  return mover.kind === 'workload' ? (
    <OwnerLink kind="workloads" name={`${mover.namespace}/${mover.workload_kind}/${mover.name}`} cluster={cluster}>
      {name}
    </OwnerLink>
  ) : (
    <Link to="/changes" search={{ cluster, window: '7d' }} className="link font-medium">
      {name}
    </Link>
  )
}

const upperFirst = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

const unowned: Record<Exclude<Mover['kind'], 'workload'>, string> = {
  cluster_idle: 'Unallocated',
  storage: 'Volumes',
  load_balancer: 'Load balancers',
  overhead: 'Control plane',
}

const nameOfMover = (mover: Mover) =>
  mover.kind === 'workload' ? `${mover.namespace}/${mover.name}` : unowned[mover.kind]
