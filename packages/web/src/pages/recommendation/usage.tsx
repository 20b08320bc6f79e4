import type { Evidence } from '@plimsoll/contract'
import { useState } from 'react'
import { BandChart } from '../../charts/band-chart.tsx'
import { bytes, cores } from '../../format/quantity.ts'
import { Section } from '../../parts/section.tsx'
import { HeadRoom } from './head-room.tsx'

export const hasUseByHour = ({ hourly, window }: Evidence) =>
  window !== null && (hourly.cpu_millicores !== null || hourly.memory_bytes !== null)

/** The signature view: what was used, under what is asked for now and what is proposed. */
export function Usage({ evidence, savings }: { evidence: Evidence; savings: number }) {
  const { hourly, requests, window, candidates } = evidence
  const [picked, setPicked] = useState<number | null>(null)
  const candidate = picked === null ? undefined : candidates[picked]
  if (!window) return null
  return (
    <>
      {hourly.cpu_millicores && (
        <Section title="CPU per pod" meta={`${Math.round(window.hours / 24)} days, by hour`} end={<BandLegend />}>
          <BandChart
            band={hourly.cpu_millicores}
            from={window.from}
            format={cores}
            current={requests.current.cpu_millicores}
            proposed={candidate?.cpu_millicores ?? requests.proposed.cpu_millicores}
            label="CPU per pod"
            axis="cores"
          />
        </Section>
      )}
      {candidates.length > 1 && <HeadRoom evidence={evidence} savings={savings} picked={picked} onPick={setPicked} />}
      {hourly.memory_bytes && (
        <Section title="Memory per pod" meta="same window" end={hourly.cpu_millicores ? undefined : <BandLegend />}>
          <BandChart
            band={hourly.memory_bytes}
            from={window.from}
            format={bytes}
            unit={memoryUnit(requests.current.memory_bytes)}
            current={requests.current.memory_bytes}
            proposed={candidate?.memory_bytes ?? requests.proposed.memory_bytes}
            label="Memory per pod"
            axis="bytes"
          />
        </Section>
      )}
    </>
  )
}

/** Half a gibibyte reads 512Mi, not 0.5 of something else. */
const memoryUnit = (request: number | null) =>
  request !== null && request > 4 * 1024 ** 3 ? 1024 ** 3 : 64 * 1024 ** 2

const bands = [
  ['median', 'bg-[var(--band-50)]'],
  ['p90', 'bg-[var(--band-90)]'],
  ['max', 'bg-[var(--band-max)]'],
] as const

function BandLegend() {
  return (
    <span className="flex gap-3">
      {bands.map(([word, className]) => (
        <span key={word} className="flex items-center gap-1.5">
          <span className={`swatch ${className}`} />
          {word}
        </span>
      ))}
    </span>
  )
}
