import type { Allocation } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { allocationQuery } from '../api/queries.ts'
import { StackedArea } from '../charts/stacked-area.tsx'
import { dollars } from '../format/money.ts'
import { Segmented } from '../parts/controls.tsx'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Loading, Message, QueryState } from '../parts/states.tsx'
import { WindowPicker } from '../parts/window-picker.tsx'
import { AllocationTable } from './allocation/allocation-table.tsx'
import { csvRows } from './allocation/csv-rows.ts'
import { layersOf } from './allocation/layers.ts'

const groupings = ['namespace', 'workload', 'team', 'node_pool', 'node'] as const
type Grouping = (typeof groupings)[number]

const words: Record<Grouping, string> = {
  namespace: 'namespace',
  workload: 'workload',
  team: 'team',
  node_pool: 'pool',
  node: 'node',
}

const sharings = ['none', 'even', 'proportional'] as const
type Sharing = (typeof sharings)[number]

export function AllocationPage() {
  const search = useSearch({ from: '/shell/allocation' })
  const navigate = useNavigate({ from: '/allocation' })
  const { window = '7d', cluster } = search
  const by = groupings.find((each) => each === search.by) ?? 'namespace'
  const isByNode = by === 'node' || by === 'node_pool'
  const share = isByNode ? 'none' : (sharings.find((each) => each === search.share) ?? 'none')
  const asked = { cluster_id: cluster, by, window, share_idle: share }
  const sums = useQuery(allocationQuery(asked))
  const steps = useQuery(allocationQuery({ ...asked, step: window === '24h' ? 'hour' : 'day', limit: 8 }))
  return (
    <Page
      title="Allocation"
      sub={sums.data && `${dollars(sums.data.total)} in this window`}
      actions={
        <>
          <WindowPicker value={window} />
          {sums.data && <DownloadCsv name={`allocation-by-${by}-${window}`} rows={csvRows(sums.data, by)} />}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2 text-sm text-ink-3">
        <span className="flex flex-wrap items-center gap-2">
          By
          <Segmented<Grouping>
            label="By"
            value={by}
            options={groupings.map((value) => ({ value, word: words[value] }))}
            onChange={(next) => void navigate({ search: (old) => ({ ...old, by: next }) })}
          />
        </span>
        {!isByNode && (
          <span className="flex flex-wrap items-center gap-2">
            Idle
            <Segmented<Sharing>
              label="Idle"
              value={share}
              options={[
                { value: 'none', word: 'on its own' },
                { value: 'even', word: 'shared evenly' },
                { value: 'proportional', word: 'shared by cost' },
              ]}
              onChange={(next) => void navigate({ search: (old) => ({ ...old, share: next }) })}
            />
          </span>
        )}
        <span>Who pays changes; the sum never does.</span>
      </div>
      <div className="grid gap-6">
        <Section title={`By ${words[by]}`} meta={`$/mo, by ${window === '24h' ? 'hour' : 'UTC day'}`}>
          <QueryState query={steps} what="The course of time" loading={<Loading rows={5} />}>
            {(known) => <Course allocation={known} by={shownBy(known)} />}
          </QueryState>
        </Section>
        <QueryState query={sums} what="The allocation">
          {(known) => <AllocationTable allocation={known} by={shownBy(known)} />}
        </QueryState>
      </div>
    </Page>
  )
}

/** While other figures are on their way, those that are shown are still by what they were asked for. */
const shownBy = ({ by: [by = 'namespace'] }: Allocation) => by

function Course({ allocation, by }: { allocation: Allocation; by: string }) {
  const { layers, starts } = layersOf(allocation, by)
  if (allocation.data_status === 'no_data' || layers.length === 0) {
    return <Message icon="clock" title="Nothing is known of this window yet" />
  }
  return (
    <StackedArea
      layers={layers}
      starts={starts}
      step={allocation.step === 'hour' ? 'hour' : 'day'}
      label={`Cost by ${by}`}
    />
  )
}
