import type { Allocation } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { explorerQuery } from '../api/queries.ts'
import { StackedArea } from '../charts/stacked-area.tsx'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Page } from '../parts/page.tsx'
import { PartialHour } from '../parts/partial-hour.tsx'
import { Section } from '../parts/section.tsx'
import { Loading, Message, QueryState } from '../parts/states.tsx'
import { pickedPeriod, type ExplorerChange, type ExplorerSearch } from '../url-parameters.ts'
import { keepCluster } from '../shell/menu-pages.ts'
import { AllocationTable } from './allocation/allocation-table.tsx'
import { namesWithColour } from './allocation/colours.ts'
import { ComparisonNote } from './allocation/comparison-note.tsx'
import { withComparison, type ExplorerAnswer } from './allocation/comparison.ts'
import { explorerCsv } from './allocation/explorer-csv.ts'
import type { StepName } from './allocation/layers.ts'
import { PeriodPicker } from './allocation/period-picker.tsx'
import { daysText, periodQuery, windowsQuery, withPeriod, zoomTo } from './allocation/period.ts'
import { Contributors } from './changes/contributors.tsx'
import { isWithoutCost } from './owner/facts.ts'
import { OwnerFacts } from './owner/owner-facts.tsx'
import { ownerLayers } from './owner/owner-layers.ts'
import { explorerSearch, ownerQuery, ownerTitle, ownerWord, type Owner } from './owner/owner-question.ts'
import { OwnerReceipt } from './owner/receipt.tsx'

type Search = ExplorerSearch & { cluster?: string }

/** The owner comes from the route: while another page loads, the address is already that of the other page. */
export function WorkloadPage() {
  const { name } = useParams({ from: '/shell/workloads/$name' })
  const search = useSearch({ from: '/shell/workloads/$name' })
  return <OwnerPage owner={{ kind: 'workloads', name }} search={search} />
}

export function NamespacePage() {
  const { name } = useParams({ from: '/shell/namespaces/$name' })
  const search = useSearch({ from: '/shell/namespaces/$name' })
  return <OwnerPage owner={{ kind: 'namespaces', name }} search={search} />
}

export function TeamPage() {
  const { name } = useParams({ from: '/shell/teams/$name' })
  const search = useSearch({ from: '/shell/teams/$name' })
  return <OwnerPage owner={{ kind: 'teams', name }} search={search} />
}

export function NodePage() {
  const { name } = useParams({ from: '/shell/nodes/$name' })
  const search = useSearch({ from: '/shell/nodes/$name' })
  return <OwnerPage owner={{ kind: 'nodes', name }} search={search} />
}

/** The cost of one workload, namespace, team or node: over time, by class, and why it changed. */
function OwnerPage({ owner, search }: { owner: Owner; search: Search }) {
  const navigate = useNavigate()
  const change = (next: ExplorerChange) => void navigate({ to: '.', search: (old) => ({ ...old, ...next }) as Search })
  const { title, sub } = ownerTitle(owner)
  const asked = { cluster_id: search.cluster, clusters: search.clusters, ...ownerQuery(owner) }
  const answer = useQuery({ ...explorerQuery({ ...asked, ...askedPeriod(owner, search) }), select: withComparison })
  return (
    <Page
      title={title}
      heading={
        <>
          <span className="mb-1 block text-sm font-normal tracking-normal text-ink-3">
            <Link
              to="/allocation"
              search={(old) => ({ ...keepCluster(old), ...pickedPeriod(search), ...explorerSearch(owner) })}
              className="link"
            >
              Allocation
            </Link>
          </span>
          {title}
        </>
      }
      sub={search.cluster === undefined && search.clusters === undefined ? sub : inClusters(sub, answer.data)}
      actions={
        <>
          {answer.data && (
            <DownloadCsv name={title.replaceAll(/[^\w-]+/g, '-')} rows={explorerCsv(answer.data, answer.data.by)} />
          )}
          <PeriodPicker
            key={JSON.stringify(pickedPeriod(search))}
            value={pickedPeriod(search)}
            isAlwaysCompared
            onChoose={(next) => change(withPeriod(next))}
          />
        </>
      }
    >
      <QueryState query={answer} what="The cost" loading={<Loading rows={10} />}>
        {(known) => <Shown allocation={known} owner={owner} search={search} onChange={change} />}
      </QueryState>
    </Page>
  )
}

/** The figures are those of some clusters only. */
const inClusters = (sub: string, answer: Allocation | undefined) =>
  answer
    ? `${sub}, ${answer.clusters.length === 1 ? 'cluster' : 'clusters'} ${answer.clusters.map(({ name }) => name).join(', ')}`
    : sub

/** Causes need a comparison. */
const askedPeriod = ({ kind }: Owner, search: Search) =>
  kind === 'nodes' ? periodQuery(search) : { ...periodQuery(search), ...windowsQuery(search) }

type ShownProps = {
  allocation: ExplorerAnswer
  owner: Owner
  search: Search
  onChange: (next: ExplorerChange) => void
}

function Shown({ allocation, owner, search, onChange }: ShownProps) {
  const { by, changes, cluster_ids: clusterIds, window } = allocation
  const [first = ''] = by
  const hasRows = owner.kind === 'namespaces' || owner.kind === 'teams'
  if (allocation.data_status === 'no_data') return <Message icon="clock" title="No data in this period" />
  if (isWithoutCost(allocation)) return <NotFound owner={owner} allocation={allocation} />
  return (
    <div className="grid gap-6">
      <PartialHour answer={allocation} />
      <ComparisonNote note={allocation.note} />
      <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,5fr)]">
        <OwnerFacts allocation={allocation} owner={owner} />
        <CostOverTime allocation={allocation} onZoom={(days) => onChange(withPeriod(days))} />
      </div>
      {changes && (
        <Section title="Changes by cause" end={<AllChanges owner={owner} search={search} />}>
          {changes.total.effects.length === 0 ? (
            <p className="py-2 text-ink-3">The cost did not change between the periods.</p>
          ) : (
            <Contributors changes={changes} />
          )}
        </Section>
      )}
      {hasRows && (
        <AllocationTable
          allocation={allocation}
          levels={by}
          named={namesWithColour(allocation, first)}
          sort={search.sort}
          onSort={(sort) => onChange({ sort })}
        />
      )}
      <OwnerReceipt owner={owner} clusterIds={clusterIds} window={window} />
    </div>
  )
}

/** A mistyped name would otherwise look like an owner that costs nothing. */
function NotFound({ owner, allocation: { window, clusters } }: { owner: Owner; allocation: Allocation }) {
  const places = clusters.map(({ name }) => name).join(', ')
  return (
    <Message icon="search" title={`${ownerWord(owner)} not found`}>
      No cost of {ownerTitle(owner).title} in {daysText(window)} in {places}. Check the name, or select another period
      or cluster.
    </Message>
  )
}

function AllChanges({ owner, search }: { owner: Owner; search: Search }) {
  const { by: _by, then: _then, ...filter } = explorerSearch(owner)
  return (
    <Link
      to="/changes"
      search={(old) => ({ ...keepCluster(old), ...pickedPeriod(search), ...filter })}
      className="link"
    >
      Open in Changes
    </Link>
  )
}

type OverTimeProps = { allocation: Allocation; onZoom: (days: { from: string; to: string }) => void }

function CostOverTime({ allocation: { trend }, onZoom }: OverTimeProps) {
  const step: StepName = trend?.step === 'hour' ? 'hour' : 'day'
  const { layers, starts } = ownerLayers(trend?.steps ?? [], step)
  const zoom = (from: number, to: number) => {
    const days = zoomTo(starts, from, to)
    if (days) onZoom(days)
  }
  return (
    <Section title="Cost over time" meta={`$ per ${step}, UTC`}>
      {layers.length === 0 ? (
        <Message icon="clock" title="No data in this period" />
      ) : (
        <StackedArea
          layers={layers}
          starts={starts}
          step={step}
          label="Cost over time"
          onZoom={step === 'day' ? zoom : undefined}
        />
      )}
    </Section>
  )
}
