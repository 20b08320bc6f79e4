import type { Evidence } from '@plimsoll/contract'
import { bytes, cores, percent } from '../../format/quantity.ts'
import { moment, utc } from '../../format/time.ts'
import { Section } from '../../parts/section.tsx'

export function EvidenceFacts({ evidence }: { evidence: Evidence }) {
  const { window, usage } = evidence
  const cpu = usage.cpu_millicores
  const memory = usage.memory_bytes
  const rows: [string, string][] = [
    ['Window', window ? `${moment(window.from)} – ${moment(window.to)}` : 'as it is now'],
    ...(evidence.sample_count === null
      ? []
      : [['Samples', evidence.sample_count.toLocaleString('en-US')] satisfies [string, string]]),
    ...(evidence.coverage === null
      ? []
      : [['Of those expected', percent(evidence.coverage)] satisfies [string, string]]),
    ...(cpu
      ? [
          ['CPU p50 / p95 / max', `${cores(cpu.p50)} / ${cores(cpu.p95)} / ${cores(cpu.max)}`] satisfies [
            string,
            string,
          ],
        ]
      : []),
    ...(memory
      ? [
          ['Memory p50 / p95 / max', `${bytes(memory.p50)} / ${bytes(memory.p95)} / ${bytes(memory.max)}`] satisfies [
            string,
            string,
          ],
        ]
      : []),
    ...Object.entries(evidence.facts).map(([name, value]): [string, string] => [
      name.replaceAll('_', ' '),
      typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value),
    ]),
  ]
  return (
    <Section title="Evidence" end={<span title={utc(evidence.written_at)}>written {moment(evidence.written_at)}</span>}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="text-right [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
