import type { IdleCosts } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { idleCostsQuery } from '../api/queries.ts'
import { dollars, roundTogether } from '../format/money.ts'
import { percent } from '../format/quantity.ts'
import { ownerName } from '../format/words.ts'
import { Explained } from '../parts/explained.tsx'
import { Note, Tag } from '../parts/marks.tsx'
import { classWords, Legend, MiniBar, MoneyBar, seenUse, shareOf, unmeasuredNote } from '../parts/money-bar.tsx'
import { OneCluster } from '../parts/one-cluster.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { WindowPicker } from '../parts/window-picker.tsx'

export function EfficiencyPage() {
  const { window = '7d' } = useSearch({ from: '/shell/efficiency' })
  return (
    <Page
      title="Efficiency"
      sub="compute: what was used, reserved and never asked for"
      actions={<WindowPicker value={window} />}
    >
      <OneCluster>{(clusterId) => <ClusterEfficiency clusterId={clusterId} window={window} />}</OneCluster>
    </Page>
  )
}

function ClusterEfficiency({ clusterId, window }: { clusterId: string; window: string }) {
  const costs = useQuery(idleCostsQuery(clusterId, window))
  return (
    <QueryState query={costs} what="The idle costs">
      {(known) =>
        known.data_status === 'no_data' || known.data_status === 'collecting' ? (
          <Message icon="clock" title="No full hour of this window is known yet">
            What is used and what is idle is told by full hours.
          </Message>
        ) : (
          <Figures costs={known} />
        )
      }
    </QueryState>
  )
}

const nodesShown = 20

function Figures({ costs }: { costs: IdleCosts }) {
  const rounded = roundTogether(classWords.map(({ key }) => costs.breakdown[key]))
  const coverage = costs.usage_coverage.cpu
  const maxNamespace = Math.max(...costs.by_namespace.map(({ total }) => total))
  const [isAll, setAll] = useState(false)
  const maxNode = Math.max(...costs.by_node.map(({ total }) => total))
  return (
    <div className="grid gap-6">
      <Section
        title="Where the compute money went"
        meta={`${dollars(costs.total)} in this window`}
        end={`use seen ${percent(coverage)}${costs.breakdown.unmeasured > 0 ? ', of GPUs none' : ''}`}
      >
        <MoneyBar classes={costs.breakdown} loadLine={null} />
        <div className="mt-2 grid gap-2 phone:grid-cols-3">
          {classWords.map(({ key, word, className, how }, index) => (
            <div key={key}>
              <p className="flex items-center gap-1.5 text-ink-2">
                <span className={`swatch ${className}`} />
                {word}
              </p>
              <p className="text-lg font-semibold">
                <Explained
                  title={`${word}, ${dollars(costs.breakdown[key])}`}
                  how={how}
                  parts={(['cpu', 'memory', 'gpu'] as const)
                    .map((name) => ({ name, value: dollars(costs.by_resource[name][key]) }))
                    .filter(({ value }) => value !== '$0')}
                  sum={{ name: 'Together', value: dollars(costs.breakdown[key]) }}
                  note={
                    key === 'cluster_idle'
                      ? `Of it ${dollars(costs.system_reserved)} is kept for the system by the nodes.`
                      : unmeasuredNote(key === 'workload' ? costs.breakdown.unmeasured : 0)
                  }
                >
                  {dollars(rounded[index] ?? 0)}
                </Explained>{' '}
                <span className="text-sm font-normal text-ink-3">{shareOf(costs.breakdown[key], costs.total)}</span>
              </p>
            </div>
          ))}
        </div>
        {costs.unpriced.cpu.fraction > 0 && (
          <div className="mt-3">
            <Note tone="warn" icon="warn">
              <Tag tone="warn">unpriced</Tag> {percent(costs.unpriced.cpu.fraction)} of the capacity has no price. It is
              in no sum, and not free.
            </Note>
          </div>
        )}
      </Section>
      <div className="grid gap-x-8 gap-y-6 wide:grid-cols-2">
        <Section title="By namespace" end={<Legend />}>
          <Table
            label="By namespace"
            columns={columns<IdleCosts['by_namespace'][number]>(
              'Namespace',
              ({ namespace }) => ownerName(namespace),
              maxNamespace,
            )}
            rows={costs.by_namespace}
            rowKey={({ namespace }) => namespace}
          />
        </Section>
        <Section title="By node" meta="most idle first">
          <Table
            label="By node"
            columns={columns<IdleCosts['by_node'][number]>('Node', ({ node }) => ownerName(node), maxNode)}
            rows={isAll ? costs.by_node : costs.by_node.slice(0, nodesShown)}
            rowKey={({ node_uid: uid }) => uid}
          />
          {!isAll && costs.by_node.length > nodesShown && (
            <button type="button" className="button mt-3" onClick={() => setAll(true)}>
              Show all {costs.by_node.length}
            </button>
          )}
        </Section>
      </div>
    </div>
  )
}

type Classed = IdleCosts['breakdown'] & { total: number }

function columns<Row extends Classed>(header: string, nameOf: (row: Row) => string, max: number): Column<Row>[] {
  return [
    {
      header,
      cell: (row) => (
        <span className="main block max-w-[26ch] truncate" title={nameOf(row)}>
          {nameOf(row)}
        </span>
      ),
    },
    {
      header: <span className="sr-only">Classes</span>,
      className: 'w-[34%]',
      cell: (row) => <MiniBar classes={row} max={max} />,
    },
    { header: 'Used', align: 'end', cell: (row) => (row.total > 0 ? percent(seenUse(row) / row.total) : '–') },
    { header: 'Idle', align: 'end', cell: (row) => dollars(row.workload_idle + row.cluster_idle) },
    { header: '$', align: 'end', cell: ({ total }) => <b>{dollars(total)}</b> },
  ]
}
