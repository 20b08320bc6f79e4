import type { Recommendation } from '@plimsoll/contract'
import { days, finePercent, number } from '../../format/quantity.ts'
import { Instant } from '../../parts/instant.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state-tags.tsx'
import { Table, type Column } from '../../parts/table.tsx'

type Watch = NonNullable<NonNullable<Recommendation['verification_detail']>['watch']>
type Failure = Watch['regressions'][number]

const rows: { what: Failure; word: string; of: (side: Watch['before']) => string }[] = [
  { what: 'oom_kills', word: 'OOM kills', of: ({ oom_kills: kills }) => number(kills) },
  { what: 'restarts', word: 'Restarts', of: ({ restarts }) => number(restarts) },
  {
    what: 'throttling',
    word: 'CPU throttled',
    of: ({ throttled }) => (throttled === null ? 'not reported' : finePercent(throttled)),
  },
]

const spanWords = (hours: number) => (hours >= 48 ? days(hours) : `${number(hours)} h`)

const columnsOf = ({ before, since, regressions }: Watch): Column<(typeof rows)[number]>[] => [
  { header: 'Failures', cell: ({ word }) => word },
  { header: `Before (${spanWords(before.hours)})`, align: 'end', cell: ({ of }) => of(before) },
  {
    header: `Since the change (${spanWords(since.hours)})`,
    align: 'end',
    cell: ({ what, of }) =>
      regressions.includes(what) ? (
        <State tone="danger" icon="alert">
          {of(since)}
        </State>
      ) : (
        of(since)
      ),
  },
]

/** What is compared after a change of requests, and the result. */
export function AfterChange({ recommendation }: { recommendation: Recommendation }) {
  const { change, verification_detail: detail } = recommendation
  if (change.action !== 'set_requests') return null
  const watch = detail?.watch
  return (
    <Section title="After the change">
      {watch?.since.hours === 0 ? (
        <p className="text-ink-2">The comparison starts with the first full hour after the change.</p>
      ) : watch ? (
        <>
          <Table
            isStacked
            label="After the change"
            columns={columnsOf(watch)}
            rows={rows}
            rowKey={({ what }) => what}
          />
          <p className="mt-2 text-sm text-ink-3">
            Compared for 7 days, until <Instant at={watch.until} />. Readiness and latency are not measured.
            {watch.regressions.length > 0 && ' The next analysis proposes the old requests.'}
          </p>
        </>
      ) : (
        <p className="text-ink-2">
          After the change, Plimsoll compares restarts, OOM kills and throttling for 7 days. If they increase, it
          recommends the old requests.
        </p>
      )}
    </Section>
  )
}
