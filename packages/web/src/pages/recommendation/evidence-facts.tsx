import type { Evidence } from '@plimsoll/contract'
import { factWords } from '../../format/facts.ts'
import { bytes, cores, number, percent } from '../../format/quantity.ts'
import { day, momentWithZone, utc } from '../../format/time.ts'
import { Section } from '../../parts/section.tsx'

export function EvidenceFacts({ evidence }: { evidence: Evidence }) {
  return (
    <Section
      title="Evidence"
      end={<span title={utc(evidence.written_at)}>collected {momentWithZone(evidence.written_at)}</span>}
    >
      {/* A value that does not fit beside its name moves below it, aligned left; numbers are not broken. */}
      <dl className="grid gap-y-1">
        {rowsOf(evidence).map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-ink-2">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

type Row = [name: string, value: string]

/** Unknown values have no row. */
function rowsOf({ window, usage, sample_count: samples, coverage, facts }: Evidence): Row[] {
  const ofContainer = typeof facts.container === 'string' ? ` of ${facts.container}` : ''
  const rows: (Row | null)[] = [
    ['Window', window ? `${day(window.from)} – ${day(window.to)}` : 'current state'],
    samples === null ? null : ['Samples', number(samples)],
    coverage === null ? null : ['Usage coverage', percent(coverage)],
    spread(`CPU${ofContainer}`, usage.cpu_millicores, cores),
    spread(`Memory${ofContainer}`, usage.memory_bytes, bytes),
    ...Object.entries(facts).map(([key, value]): Row => factWords(key, value)),
  ]
  return rows.filter((row) => row !== null)
}

type Spread = Evidence['usage']['cpu_millicores']

const spread = (name: string, known: Spread, format: (value: number) => string): Row | null =>
  known && [`${name} per minute, p50 / p95 / max`, [known.p50, known.p95, known.max].map(format).join(' / ')]
