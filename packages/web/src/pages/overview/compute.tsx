import type { Overview, OverviewCluster } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { dollars, roundTogether } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { providerName } from '../../format/words.ts'
import { Explained } from '../../parts/explained.tsx'
import { Tag } from '../../parts/marks.tsx'
import { ClassFigures, MiniBar, MoneyBar } from '../../parts/money-bar.tsx'
import { amountOf, totalOf, wordOf, wordsFor, unseenNote, type ClassKey } from '../../parts/money-classes.ts'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'

export function Compute({ overview }: { overview: Overview }) {
  const { compute, clusters } = overview
  const known = clusters.filter(({ hours }) => hours > 0)
  const nodes = known.reduce((sum, each) => sum + each.node_count, 0)
  const rounded = roundTogether(wordsFor(compute).map(({ key }) => amountOf(compute, key)))
  const line = loadLine(overview)
  const max = Math.max(...clusters.map((each) => totalOf(each.compute)))
  return (
    <Section
      title="Where the compute money goes"
      meta={`${dollars(compute.total)}/mo over ${count(nodes, 'node')}${newcomers(clusters.length - known.length)}`}
      end={
        <Link to="/efficiency" className="link text-ink">
          Efficiency
        </Link>
      }
    >
      <div className="grid gap-x-8 gap-y-4 wide:grid-cols-[3fr_2fr]">
        <div>
          <MoneyBar classes={compute} loadLine={line} />
          <ClassFigures classes={compute}>
            {(key, index) => (
              <ClassFigure overview={overview} of={key}>
                {dollars(rounded[index] ?? 0)}
              </ClassFigure>
            )}
          </ClassFigures>
          {line && (
            <p className="mt-2 text-sm text-ink-3">
              <Explained
                title={`Load line, ${dollars(line.at)} a month`}
                how={line.how}
                parts={line.parts}
                sum={line.sum}
              >
                Load line
              </Explained>
              : {line.meaning}
            </p>
          )}
        </div>
        <Table label="Compute by cluster" columns={columns(max)} rows={clusters.slice(0, 8)} rowKey={({ id }) => id} />
      </div>
    </Section>
  )
}

const newcomers = (clusters: number) => (clusters === 0 ? '' : `, without ${count(clusters, 'new cluster')}`)

function ClassFigure({ overview, of: key, children }: { overview: Overview; of: ClassKey; children: string }) {
  const { word, how } = wordOf(key)
  const amount = dollars(amountOf(overview.compute, key))
  return (
    <Explained
      title={`${word}, ${amount} a month`}
      how={`${how}. The last 24 written hours × 730 / 24.`}
      parts={overview.clusters
        .slice(0, 12)
        .map((each) => ({ name: each.name, value: dollars(amountOf(each.compute, key)) }))}
      sum={{ name: 'Together', value: amount }}
      {...(key === 'used' ? { note: unseenNote } : {})}
    >
      {children}
    </Explained>
  )
}

const columns = (max: number): Column<OverviewCluster>[] => [
  {
    header: 'Cluster',
    cell: ({ id, name, provider }) => (
      <Link to="/" search={{ cluster: id }} className="hover:underline">
        <span className="main">{name}</span>{' '}
        <span className="text-ink-3 max-phone:hidden">{providerName(provider)}</span>
      </Link>
    ),
  },
  { header: 'Nodes', cell: (row) => row.node_count, align: 'end', className: 'max-phone:hidden' },
  {
    header: 'Share of compute',
    className: 'w-[34%] min-w-16 whitespace-normal phone:min-w-20',
    cell: (row) =>
      row.hours === 0 ? (
        <span className="text-ink-3">no full hour yet</span>
      ) : (
        <MiniBar classes={row.compute} max={max} />
      ),
  },
  { header: 'Compute $/mo', align: 'end', className: 'whitespace-normal', cell: (row) => <CostOf cluster={row} /> },
]

/** Before its first full hour the run-rate has a cluster by the prices of its nodes, and so has its row. */
function CostOf({ cluster: { hours, compute, monthly_cost: cost } }: { cluster: OverviewCluster }) {
  if (hours > 0) return dollars(compute.total)
  if (cost === 0) return '–'
  return (
    <>
      <Tag title="The prices of its nodes × 730 h">estimated</Tag> {dollars(cost)}
    </>
  )
}

/**
 * Where compute would float once all that is open or approved is done. What would leave the bill with volumes, balancers
 * and control planes is no part of this bar, and so not of its line. Bankable before estimated.
 */
function loadLine({ compute, recommendations: advice }: Overview) {
  if (!advice) return null
  const { bankable_savings: bankable, estimated_savings: estimated } = advice.compute
  const isBankable = bankable !== null && bankable > 0
  const saving = isBankable ? bankable : estimated
  if (saving <= 0) return null
  const at = compute.total - saving
  return {
    at,
    word: 'load line',
    meaning: isBankable
      ? `what the same work costs once every bankable change of compute, open or approved, is made: ${dollars(saving)} less.`
      : `what the same work would cost if every estimate came true, ${dollars(saving)} less. How much of it would leave the bill has not been computed.`,
    how: 'What compute costs a month, without what the open and the approved recommendations for workloads and nodes would save. Volumes, balancers and control planes are in neither.',
    parts: [
      { name: 'Compute now', value: dollars(compute.total) },
      { name: isBankable ? 'Bankable' : 'Estimated', value: dollars(-saving) },
    ],
    sum: { name: 'Load line', value: dollars(at) },
  }
}
