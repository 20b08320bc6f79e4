import type { IdleCostsAnswer, WorkloadCost } from '@plimsoll/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useClusterName } from '../../api/cluster-name.ts'
import { listAllWorkloads } from '../../api/queries.ts'
import { Scatter, type Dot } from '../../charts/scatter.tsx'
import { dollars } from '../../format/money.ts'
import { bytes, cores, count, percent, wholeCores } from '../../format/quantity.ts'
import { Segmented } from '../../parts/controls.tsx'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { PartialHour } from '../../parts/partial-hour.tsx'
import { Section } from '../../parts/section.tsx'
import { Message } from '../../parts/states.tsx'
import { periodAndCluster, tableCsv } from '../../parts/table-csv.ts'
import { ShowAll, Table, type Column } from '../../parts/table.tsx'
import { useMayOpen } from '../../shell/page-access.ts'

const resources = {
  cpu: {
    word: 'CPU',
    unit: 'cores',
    of: ({ cpu_cores: cpu }: WorkloadCost) => cpu,
    format: (value: number) => cores(value * 1000),
    // One unit in the table, so that rows can be compared.
    inTable: wholeCores,
  },
  memory: {
    word: 'memory',
    unit: 'bytes',
    of: ({ memory_bytes: memory }: WorkloadCost) => memory,
    format: bytes,
    inTable: bytes,
  },
} as const

type Resource = keyof typeof resources

const nameOf = ({ namespace, name }: WorkloadCost) => `${namespace}/${name}`
const keyOf = ({ namespace, kind, name }: WorkloadCost) => `${namespace}/${kind}/${name}`
const adviceFor = ({ namespace, name }: WorkloadCost) => ({ namespace, text: name })

/** Each workload by request and usage, and the workloads with the highest idle cost. */
type Props = {
  clusterId: string
  workloads: NonNullable<IdleCostsAnswer['workloads']>
  window: IdleCostsAnswer['window']
}

export function RequestedAgainstUsed({ clusterId, workloads, window }: Props) {
  const [resource, setResource] = useState<Resource>('cpu')
  return (
    <Section
      title="Requests and usage by workload"
      meta="mean of the window"
      end={
        <span className="flex flex-wrap gap-2">
          <Segmented<Resource>
            label="Resource"
            value={resource}
            options={[
              { value: 'cpu', word: 'CPU' },
              { value: 'memory', word: 'Memory' },
            ]}
            onChange={setResource}
          />
          <WorkloadsCsv clusterId={clusterId} window={window} resource={resource} />
        </span>
      }
    >
      <PartialHour answer={workloads} />
      <Figures workloads={workloads.rows} resource={resource} clusterId={clusterId} hasMore={workloads.has_more} />
    </Section>
  )
}

const isMeasured = (resource: Resource) => (workload: WorkloadCost) => {
  const { requested, used } = resources[resource].of(workload)
  return requested > 0 && used !== null
}

const byIdleCost = (a: WorkloadCost, b: WorkloadCost) => b.cost.workload_idle - a.cost.workload_idle

/** The page shows the most expensive workloads; the file has all of them. */
function WorkloadsCsv({ clusterId, window, resource }: Omit<Props, 'workloads'> & { resource: Resource }) {
  const cluster = useClusterName()(clusterId)
  const rows = async () => {
    const workloads = (await listAllWorkloads(clusterId, window)).filter(isMeasured(resource)).sort(byIdleCost)
    return tableCsv(columnsOf(resource, nameOf), workloads, periodAndCluster(window, cluster))
  }
  return <DownloadCsv name={`requests-and-usage-${resource}-${cluster}`} rows={rows} />
}

type FiguresProps = { workloads: readonly WorkloadCost[]; resource: Resource; clusterId: string; hasMore: boolean }

function Figures({ workloads, resource, clusterId, hasMore }: FiguresProps) {
  const navigate = useNavigate()
  const mayOpen = useMayOpen()
  const { of, format, word } = resources[resource]
  const seen = workloads.filter(isMeasured(resource))
  if (seen.length === 0) return <Message icon="clock" title="No usage data in this window" />
  const dots = seen.map((each): Dot => ({
    key: keyOf(each),
    name: nameOf(each),
    x: of(each).requested,
    y: of(each).used ?? 0,
    weight: each.cost.workload_idle,
  }))
  const open = (key: string) => {
    const workload = seen.find((each) => keyOf(each) === key)
    if (workload) void navigate({ to: '/recommendations', search: { cluster: clusterId, ...adviceFor(workload) } })
  }
  return (
    <div className="grid gap-x-8 gap-y-4 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div>
        <Scatter
          dots={dots}
          format={format}
          xTitle={`${word} requested`}
          yTitle={`${word} used`}
          label={`${count(seen.length, 'workload')} by ${word} requested and used; see the table for the values`}
          onPick={mayOpen('/recommendations') ? open : undefined}
        />
        <p className="mt-1 text-sm text-ink-3">
          Dot size: cost of unused requests.{hasMore && ' Shows the 500 most expensive workloads.'}
        </p>
      </div>
      <IdleTable workloads={seen} resource={resource} clusterId={clusterId} />
    </div>
  )
}

const rowsShown = 9

const nameShape = 'main block max-w-[20ch] truncate phone:max-w-[24ch]'

function IdleTable({ workloads, resource, clusterId }: Omit<FiguresProps, 'hasMore'>) {
  const [isAll, setAll] = useState(false)
  const mayOpen = useMayOpen()
  const sorted = [...workloads].sort(byIdleCost)
  const rows = isAll ? sorted : sorted.slice(0, rowsShown)
  const columns = columnsOf(resource, (row) =>
    mayOpen('/recommendations') ? (
      <Link
        to="/recommendations"
        search={{ cluster: clusterId, ...adviceFor(row) }}
        className={`${nameShape} hover:underline`}
        title={nameOf(row)}
      >
        {nameOf(row)}
      </Link>
    ) : (
      <span className={nameShape} title={nameOf(row)}>
        {nameOf(row)}
      </span>
    ),
  )
  return (
    <div>
      <Table label="Workloads by idle cost" columns={columns} rows={rows} rowKey={keyOf} />
      <ShowAll shown={rows.length} all={sorted.length} onShow={() => setAll(true)} />
    </div>
  )
}

/** Used of requested is the share of one resource; efficiency elsewhere is a share of cost. */
function columnsOf(resource: Resource, nameCell: (row: WorkloadCost) => ReactNode): Column<WorkloadCost>[] {
  const { of, inTable: format, unit } = resources[resource]
  const usedShare = (row: WorkloadCost) => (of(row).used ?? 0) / of(row).requested
  return [
    { header: 'Workload', cell: nameCell, csv: keyOf },
    {
      header: 'Requested',
      csvHeader: `Requested (${unit})`,
      align: 'end',
      cell: (row) => format(of(row).requested),
      csv: (row) => of(row).requested,
    },
    {
      header: 'Used',
      csvHeader: `Used (${unit})`,
      align: 'end',
      className: 'max-phone:hidden',
      cell: (row) => format(of(row).used ?? 0),
      csv: (row) => of(row).used,
    },
    { header: 'Used / requested', align: 'end', cell: (row) => percent(usedShare(row)), csv: usedShare },
    {
      header: 'Idle $',
      align: 'end',
      cell: ({ cost }) => <b>{dollars(cost.workload_idle)}</b>,
      csv: ({ cost }) => cost.workload_idle,
    },
  ]
}
