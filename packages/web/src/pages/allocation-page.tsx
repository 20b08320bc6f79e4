import type { Allocation } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { allocationQuery } from '../api/queries.ts'
import { StackedArea } from '../charts/stacked-area.tsx'
import { Treemap } from '../charts/treemap.tsx'
import { addedUp } from '../format/money.ts'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Page } from '../parts/page.tsx'
import { PartialHour } from '../parts/partial-hour.tsx'
import { Section } from '../parts/section.tsx'
import { Loading, Message, QueryState } from '../parts/states.tsx'
import { WindowPicker } from '../parts/window-picker.tsx'
import { keepCluster } from '../shell/places.ts'
import { AllocationTable } from './allocation/allocation-table.tsx'
import { namesWithColour } from './allocation/colours.ts'
import { csvRows } from './allocation/csv-rows.ts'
import { layersOf } from './allocation/layers.ts'
import { Questions } from './allocation/questions.tsx'
import { groupingWords, readQuestion } from './allocation/question.ts'
import { tilesOf } from './allocation/tiles.ts'

export function AllocationPage() {
  const search = useSearch({ from: '/shell/allocation' })
  const { window = '7d', cluster, namespace } = search
  const { by, share } = readQuestion(search)
  const asked = {
    cluster_id: cluster,
    by,
    window,
    share_idle: share,
    trend: window === '24h' ? 'hour' : 'day',
    ...(namespace === undefined ? {} : { namespace }),
  }
  const sums = useQuery(allocationQuery(asked))
  // While new figures load, the page still shows the previous grouping.
  const shownBy = sums.data?.by[0] ?? by
  const named = sums.data ? namesWithColour(sums.data, shownBy) : []
  const total = sums.data && addedUp([sums.data.total]).total
  return (
    <Page
      title="Allocation"
      heading={namespace === undefined ? undefined : <InNamespace namespace={namespace} />}
      sub={total && `${total} in this window`}
      actions={
        <>
          <WindowPicker value={window} />
          {sums.data && <DownloadCsv name={`allocation-by-${by}-${window}`} rows={csvRows(sums.data, by)} />}
        </>
      }
    >
      <Questions by={by} share={share} />
      <div className="grid gap-6">
        <PartialHour answer={sums.data} />
        <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
          <Section title={`By ${groupingWords[by]}`} meta={`$/month, by ${window === '24h' ? 'hour' : 'UTC day'}`}>
            <QueryState query={sums} what="The cost over time" loading={<Loading rows={7} />}>
              {(known) => <Course allocation={known} by={shownBy} named={named} />}
            </QueryState>
          </Section>
          <Section title="Cost share" meta={total} end="The area of a tile is its cost">
            <QueryState query={sums} what="The cost share" loading={<Loading rows={7} />}>
              {(known) => <Shares allocation={known} by={shownBy} named={named} />}
            </QueryState>
          </Section>
        </div>
        <QueryState query={sums} what="The allocation">
          {(known) => <AllocationTable allocation={known} by={shownBy} named={named} />}
        </QueryState>
      </div>
    </Page>
  )
}

function InNamespace({ namespace }: { namespace: string }) {
  return (
    <>
      <span className="mb-1 block text-sm font-normal tracking-normal text-ink-3">
        <Link to="/allocation" search={keepCluster} className="link">
          Allocation
        </Link>{' '}
        by namespace
      </span>
      {namespace}
    </>
  )
}

type ShownProps = { allocation: Allocation; by: string; named: readonly string[] }

function Course({ allocation, by, named }: ShownProps) {
  if (allocation.data_status !== 'no_data' && allocation.trend === undefined) {
    return <Message icon="clock" title="Too many groups for a chart: choose a shorter window" />
  }
  const { layers, starts } = layersOf(allocation.trend?.steps ?? [], by, named)
  if (allocation.data_status === 'no_data' || layers.length === 0) {
    return <Message icon="clock" title="No data in this window" />
  }
  const step = allocation.trend?.step === 'hour' ? 'hour' : 'day'
  return <StackedArea layers={layers} starts={starts} step={step} label={`Cost by ${by}`} />
}

function Shares({ allocation, by, named }: ShownProps) {
  const navigate = useNavigate({ from: '/allocation' })
  const tiles = tilesOf(allocation, by, named)
  if (tiles.length === 0) return <Message icon="clock" title="No data in this window" />
  const enter = (name: string) => void navigate({ search: (old) => ({ ...old, by: 'workload', namespace: name }) })
  return (
    <Treemap
      tiles={tiles}
      label={`Cost share by ${by}; see the table below for the values`}
      onPick={by === 'namespace' ? enter : undefined}
    />
  )
}
