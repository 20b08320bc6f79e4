import type { Changes } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { changesQuery, incidentsQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { BillBridge } from '../charts/bill-bridge.tsx'
import { CopyButton, Segmented } from '../parts/controls.tsx'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Incidents } from '../parts/incidents.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Loading, Message, QueryState } from '../parts/states.tsx'
import { pickedPeriod, type ExplorerChange, type ExplorerSearch } from '../url-parameters.ts'
import { ComparisonNote } from './allocation/comparison-note.tsx'
import { comparedPercent, comparisonNote, type ComparedHours } from './allocation/comparison.ts'
import { percentText } from './allocation/explorer-lines.ts'
import { PeriodPicker } from './allocation/period-picker.tsx'
import { daysText, windowsQuery, withPeriod } from './allocation/period.ts'
import { filterQuery, isLabel } from './allocation/question.ts'
import { FilterChips } from './allocation/filter-chips.tsx'
import { causeBridge } from './changes/causes.ts'
import { changesCsv } from './changes/changes-csv.ts'
import { Contributors } from './changes/contributors.tsx'
import { GroupChanges } from './changes/group-changes.tsx'

const views = ['cause', 'team', 'namespace', 'workload'] as const

/** The difference between two periods, split into its causes. */
export function ChangesPage() {
  const search = useSearch({ from: '/shell/changes' })
  const navigate = useNavigate({ from: '/changes' })
  const change = (next: ExplorerChange) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as ExplorerSearch & { cluster?: string } })
  const view = search.by ?? 'cause'
  const by = view === 'cause' ? 'workload' : view
  const changes = useQuery(
    changesQuery({
      cluster_id: search.cluster,
      by,
      ...windowsQuery(search),
      ...filterQuery(search, { levels: ['workload'], share: 'none' }),
    }),
  )
  const may = useMay()
  const incidents = useQuery({ ...incidentsQuery(search.cluster), enabled: may('alerts:read') })
  const isByLabel = view.startsWith('label:')
  return (
    <Page
      title="Changes"
      hasViews
      sub={changes.data && <Difference changes={changes.data} />}
      actions={
        <>
          {changes.data && (
            <DownloadCsv name={`changes-by-${by.replaceAll(/[^\w-]+/g, '-')}`} rows={changesCsv(changes.data)} />
          )}
          <CopyButton text={location.href} what="Copy link" />
          <PeriodPicker
            key={JSON.stringify(pickedPeriod(search))}
            value={pickedPeriod(search)}
            isAlwaysCompared
            onChoose={(next) => change(withPeriod(next))}
          />
        </>
      }
    >
      <div className="grid gap-6">
        <Incidents incidents={incidents.data ?? []} />
        <FilterChips search={search} clusters={changes.data?.clusters ?? []} levels={['workload']} onChange={change} />
        <ComparisonNote note={changes.data ? comparisonNote(hoursOf(changes.data)) : null} />
        <Section title="Cost change by cause" end="The causes add up to the difference.">
          <QueryState query={changes} what="The changes" loading={<Loading rows={8} />}>
            {(known) => <Bridge changes={known} />}
          </QueryState>
        </Section>
        <Section
          title="Contributors"
          end={
            <span className="flex flex-wrap items-center gap-2">
              <Segmented
                label="Group by"
                value={isByLabel ? 'label' : view}
                options={[...views.map((each) => ({ value: each, word: each })), { value: 'label', word: 'label' }]}
                onChange={(next) => change({ by: next === 'label' ? 'label:app' : next })}
              />
              {isByLabel && (
                <input
                  className="input w-32"
                  aria-label="Label key"
                  key={view}
                  defaultValue={view.slice('label:'.length)}
                  onBlur={({ target: { value } }) =>
                    isLabel(`label:${value.trim()}`) && change({ by: `label:${value.trim()}` })
                  }
                  onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
                />
              )}
            </span>
          }
        >
          <QueryState query={changes} what="The contributors" loading={<Loading rows={8} />}>
            {(known) =>
              view === 'cause' ? (
                <Contributors changes={known} />
              ) : (
                <GroupChanges
                  changes={known}
                  by={known.by[0] ?? by}
                  percentOf={(of) => comparedPercent(hoursOf(known), of)}
                />
              )
            }
          </QueryState>
        </Section>
      </div>
    </Page>
  )
}

function hoursOf(changes: Changes): ComparedHours {
  const { window, compare_window: before } = changes
  const { hours_with_data: known = window.hours, compare_hours_with_data: knownBefore = before.hours } = changes
  return {
    now: { hours: window.hours, hoursWithData: known },
    before: { hours: before.hours, hoursWithData: knownBefore },
  }
}

function Difference({ changes }: { changes: Changes }) {
  const { total, window, compare_window: before } = changes
  const share = comparedPercent(hoursOf(changes), total)
  const { shown } = causeBridge(changes)
  return (
    <>
      {daysText(before)} → {daysText(window)}: {shown.before} → {shown.now},{' '}
      <b className="font-medium text-ink">
        {shown.total}
        {share !== null && ` (${percentText(share)})`}
      </b>
    </>
  )
}

function Bridge({ changes }: { changes: Changes }) {
  const { total, window, compare_window: before, data_status: status } = changes
  const { causes, shown } = causeBridge(changes)
  if (status === 'no_data') return <Message icon="clock" title="No data in this period" />
  if (total.before === 0 && total.now === 0) return <p className="py-4 text-ink-3">No cost matches the filters.</p>
  if (causes.length === 0) return <p className="py-4 text-ink-3">Both periods have the same cost.</p>
  const words = [
    { name: 'Before', below: daysText(before), amount: shown.before },
    ...causes.map(({ word }, index) => ({ name: word, below: '', amount: shown.changes[index] ?? '' })),
    { name: 'Now', below: daysText(window), amount: shown.now },
  ]
  return (
    <BillBridge
      before={total.before}
      changes={causes.map(({ usd }) => usd)}
      words={words}
      unit="$ in the period"
      label={`Cost change by cause: ${words.map(({ name, amount }) => `${name} ${amount}`).join(', ')}`}
    />
  )
}
