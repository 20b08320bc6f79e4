import type { Allocation } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { explorerQuery } from '../api/queries.ts'
import { StackedArea } from '../charts/stacked-area.tsx'
import { Treemap } from '../charts/treemap.tsx'
import { addedUp, addedUpChanges } from '../format/money.ts'
import { CopyButton } from '../parts/controls.tsx'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Page } from '../parts/page.tsx'
import { PartialHour } from '../parts/partial-hour.tsx'
import { Section } from '../parts/section.tsx'
import { Loading, Message, QueryState } from '../parts/states.tsx'
import { pickedPeriod, type ExplorerChange, type ExplorerSearch } from '../url-parameters.ts'
import { AllocationTable } from './allocation/allocation-table.tsx'
import { namesWithColour } from './allocation/colours.ts'
import { ComparisonNote } from './allocation/comparison-note.tsx'
import { withComparison, type ExplorerAnswer } from './allocation/comparison.ts'
import { explorerCsv } from './allocation/explorer-csv.ts'
import { percentText } from './allocation/explorer-lines.ts'
import { layersOf, rateOf, type StepName } from './allocation/layers.ts'
import { PeriodPicker } from './allocation/period-picker.tsx'
import { daysText, periodQuery, withPeriod, zoomTo } from './allocation/period.ts'
import { filterQuery, groupingName, readQuestion, sharingQuery } from './allocation/question.ts'
import { Questions } from './allocation/questions.tsx'
import { tilesOf } from './allocation/tiles.ts'

/** A longer table is hard to read and slow to draw. */
const rowsShown = '200'

type Search = ExplorerSearch & { cluster?: string }

/** The cost of any period, in one or two levels, compared with another period. */
export function AllocationPage() {
  const search = useSearch({ from: '/shell/allocation' })
  const navigate = useNavigate({ from: '/allocation' })
  const change = (next: ExplorerChange) => void navigate({ search: (old) => ({ ...old, ...next }) as Search })
  const question = readQuestion(search)
  const query = {
    cluster_id: search.cluster,
    group_by: question.levels.join(','),
    limit: rowsShown,
    ...periodQuery(search),
    ...filterQuery(search, question),
    ...sharingQuery(question.share),
  }
  const sums = useQuery({ ...explorerQuery(query), select: withComparison })
  // While new figures load, the page still shows the previous grouping.
  const levels = sums.data?.by ?? question.levels
  const [by = 'namespace'] = levels
  const named = sums.data ? namesWithColour(sums.data, by) : []
  const step: StepName = sums.data?.trend?.step === 'hour' ? 'hour' : 'day'
  return (
    <Page
      title="Allocation"
      hasViews
      sub={sums.data && <Headline allocation={sums.data} />}
      actions={
        <>
          {sums.data && <DownloadCsv name={csvName(sums.data, levels)} rows={explorerCsv(sums.data, levels)} />}
          <CopyButton text={location.href} what="Copy link" />
          <PeriodPicker
            key={JSON.stringify(pickedPeriod(search))}
            value={pickedPeriod(search)}
            onChoose={(next) => change(withPeriod(next))}
          />
        </>
      }
    >
      <Questions search={search} question={question} allocation={sums.data} />
      <div className="grid gap-6">
        <PartialHour answer={sums.data} />
        <ComparisonNote note={sums.data?.note ?? (isCompareMissing(search, sums) ? tooManyRows : null)} />
        <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
          <Section
            title={`Cost by ${groupingName(by)}`}
            meta={`$ per ${step}, UTC`}
            end={<OtherPeriod allocation={sums.data} />}
          >
            <QueryState query={sums} what="The cost over time" loading={<Loading rows={7} />}>
              {(known) => (
                <CostChart allocation={known} by={by} named={named} onZoom={(days) => change(zoomed(search, days))} />
              )}
            </QueryState>
          </Section>
          <Section title="Cost share" end="The area of a tile is its cost">
            <QueryState query={sums} what="The cost share" loading={<Loading rows={7} />}>
              {(known) => (
                <Shares
                  allocation={known}
                  by={by}
                  named={named}
                  onPick={(name) => change({ by: 'workload', namespace: name })}
                />
              )}
            </QueryState>
          </Section>
        </div>
        <QueryState query={sums} what="The allocation">
          {(known) => (
            <AllocationTable
              allocation={known}
              levels={levels}
              named={named}
              sort={search.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </QueryState>
      </div>
    </Page>
  )
}

const tooManyRows = 'Too many rows to compare. Choose a shorter period or fewer groups.'

const isCompareMissing = ({ against }: ExplorerSearch, { data, isPlaceholderData }: Loaded) =>
  against !== 'off' && !isPlaceholderData && data !== undefined && data.compare === undefined
type Loaded = { data: ExplorerAnswer | undefined; isPlaceholderData: boolean }

/** A custom window to compare with belongs to the old period. */
const zoomed = ({ against }: ExplorerSearch, days: { from: string; to: string }) =>
  withPeriod({ ...days, ...(against === undefined || against === 'custom' ? {} : { against }) })

const csvName = ({ window }: Allocation, levels: readonly string[]) =>
  `allocation-by-${levels.join('-').replaceAll(/[^\w-]+/g, '-')}-${window.from.slice(0, 10)}-${window.to.slice(0, 10)}`

function Headline({ allocation: { total, window, compare, steps } }: { allocation: Allocation }) {
  const compared = steps[0]?.compare?.total
  return (
    <>
      {addedUp([total]).total} in {daysText(window)}
      {compare && compared && (
        <>
          ,{' '}
          <b className="font-medium text-ink">
            {addedUpChanges([compared.difference], [total]).total}
            {compared.percent !== null && ` (${percentText(compared.percent)})`}
          </b>{' '}
          compared with {daysText(compare.window)}
        </>
      )}
    </>
  )
}

const OtherPeriod = ({ allocation }: { allocation: Allocation | undefined }) =>
  allocation?.compare?.totals === undefined ? null : (
    <span className="inline-flex items-center gap-1.5">
      <span className="w-5 border-t border-dashed border-ink" aria-hidden="true" />
      Total, {daysText(allocation.compare.window)}
    </span>
  )

type ShownProps = { allocation: Allocation; by: string; named: readonly string[] }
type ChartProps = ShownProps & { onZoom: (days: { from: string; to: string }) => void }

function CostChart({ allocation, by, named, onZoom }: ChartProps) {
  const { trend, compare, data_status: status } = allocation
  if (status !== 'no_data' && trend === undefined) {
    return <Message icon="clock" title="Too many groups for a chart: choose a shorter period or fewer groups" />
  }
  const step: StepName = trend?.step === 'hour' ? 'hour' : 'day'
  const { layers, starts } = layersOf(trend?.steps ?? [], { by, named, step })
  if (status === 'no_data' || layers.length === 0) return <Message icon="clock" title="No data in this period" />
  const totals = compare?.totals
  const other = totals && {
    name: 'other period',
    values: totals.map((each) => rateOf(each.total, each, step)),
    starts: totals.map(({ from }) => from),
  }
  const zoom = (from: number, to: number) => {
    const days = zoomTo(starts, from, to)
    if (days) onZoom(days)
  }
  return (
    <StackedArea
      layers={layers}
      starts={starts}
      step={step}
      label={`Cost by ${groupingName(by)}`}
      other={other}
      onZoom={step === 'day' ? zoom : undefined}
    />
  )
}

function Shares({ allocation, by, named, onPick }: ShownProps & { onPick: (name: string) => void }) {
  const tiles = tilesOf(allocation, by, named)
  if (tiles.length === 0) return <Message icon="clock" title="No data in this period" />
  return (
    <Treemap
      tiles={tiles}
      label={`Cost share by ${groupingName(by)}; see the table below for the values`}
      onPick={by === 'namespace' ? onPick : undefined}
    />
  )
}
