import type { Overview, OverviewCluster } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { dollars, roundTogether } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { providerName } from '../../format/words.ts'
import { Explained } from '../../parts/explained.tsx'
import { classWords, MiniBar, MoneyBar, shareOf, totalOf, unmeasuredNote } from '../../parts/money-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'

export function Compute({ overview }: { overview: Overview }) {
  const { compute, clusters } = overview
  const nodes = clusters.reduce((sum, each) => sum + each.node_count, 0)
  const rounded = roundTogether(classWords.map(({ key }) => compute[key]))
  const line = loadLine(overview)
  const max = Math.max(...clusters.map((each) => totalOf(each.compute)))
  return (
    <Section
      title="Where the compute money goes"
      meta={`${dollars(compute.total)}/mo over ${count(nodes, 'node')}`}
      end={
        <Link to="/efficiency" className="link text-ink">
          Efficiency
        </Link>
      }
    >
      <div className="grid gap-x-8 gap-y-4 wide:grid-cols-[3fr_2fr]">
        <div>
          <MoneyBar classes={compute} loadLine={line} />
          <div className="mt-2 grid gap-2 phone:grid-cols-3">
            {classWords.map(({ key, word, className, how }, index) => (
              <div key={key} className="flex items-baseline justify-between gap-2 phone:block">
                <p className="flex items-center gap-1.5 text-ink-2">
                  <span className={`swatch ${className}`} />
                  {word}
                </p>
                <p className="text-lg font-semibold">
                  <Explained
                    title={`${word}, ${dollars(compute[key])} a month`}
                    how={`${how}. The last 24 written hours × 730 / 24.`}
                    parts={clusters
                      .slice(0, 12)
                      .map((each) => ({ name: each.name, value: dollars(each.compute[key]) }))}
                    sum={{ name: 'Together', value: dollars(compute[key]) }}
                    note={unmeasuredNote(key === 'workload' ? compute.unmeasured : 0)}
                  >
                    {dollars(rounded[index] ?? 0)}
                  </Explained>{' '}
                  <span className="text-sm font-normal text-ink-3">{shareOf(compute[key], compute.total)}</span>
                </p>
              </div>
            ))}
          </div>
          {line && <p className="mt-2 text-sm text-ink-3">{line.meaning}</p>}
        </div>
        <Table label="Compute by cluster" columns={columns(max)} rows={clusters.slice(0, 8)} rowKey={({ id }) => id} />
      </div>
    </Section>
  )
}

const columns = (max: number): Column<OverviewCluster>[] => [
  {
    header: 'Cluster',
    cell: ({ id, name, provider }) => (
      <Link to="/" search={{ cluster: id }} className="hover:underline">
        <span className="main">{name}</span> <span className="text-ink-3">{providerName(provider)}</span>
      </Link>
    ),
  },
  { header: 'Nodes', cell: (row) => row.node_count, align: 'end', className: 'max-phone:hidden' },
  {
    header: 'Share of compute',
    className: 'w-[34%] min-w-20',
    cell: (row) =>
      row.hours === 0 ? (
        <span className="text-ink-3">no full hour yet</span>
      ) : (
        <MiniBar classes={row.compute} max={max} />
      ),
  },
  { header: '$/mo', cell: (row) => dollars(row.compute.total), align: 'end' },
]

/** Bankable before estimated: what leaves the bill is said as such, and what is only hoped for as well. */
function loadLine({ compute, recommendations: advice }: Overview) {
  if (!advice || advice.open === 0) return null
  const isBankable = advice.bankable_savings !== null && advice.bankable_savings > 0
  const saving = isBankable ? (advice.bankable_savings ?? 0) : advice.estimated_savings
  if (saving <= 0) return null
  return {
    at: compute.total - saving,
    word: 'load line',
    meaning: isBankable
      ? `Load line: what the same work costs once every bankable change is made, ${dollars(saving)} less.`
      : `Load line: what the same work would cost if every estimate came true, ${dollars(saving)} less. How much of it would leave the bill has not been computed.`,
  }
}
