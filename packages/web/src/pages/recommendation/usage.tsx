import type { Evidence } from '@plimsoll/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { BandChart, scaleFor, type ChartLimits, type ScaleName } from '../../charts/band-chart.tsx'
import type { Rival } from '../../charts/request-lines.tsx'
import { bytes, cores, coresOnAxis, days } from '../../format/quantity.ts'
import { Segmented } from '../../parts/controls.tsx'
import { Section } from '../../parts/section.tsx'
import { chartLimits } from './chart-limits.ts'
import { SafetyMargin } from './safety-margin.tsx'
import { otherToolsOf } from './other-tools.ts'
import { UsageLegend } from './usage-legend.tsx'

export const hasUseByHour = ({ hourly, window }: Evidence) =>
  window !== null && (hourly.cpu_millicores !== null || hourly.memory_bytes !== null)

/** Usage with the current and the proposed request. */
export function Usage({ evidence, savings }: { evidence: Evidence; savings: number }) {
  const { hourly, requests, window, candidates } = evidence
  const limits = chartLimits(evidence)
  const { compare } = useSearch({ from: '/shell/recommendations/$id' })
  const rivals = otherToolsOf(evidence, compare)
  const [picked, setPicked] = useState<number | null>(null)
  const candidate = picked === null ? undefined : candidates[picked]
  if (!window) return null
  return (
    <>
      {hourly.cpu_millicores && (
        <CpuUsage
          band={hourly.cpu_millicores}
          window={window}
          current={requests.current.cpu_millicores}
          proposed={candidate?.cpu_millicores ?? requests.proposed.cpu_millicores}
          rivals={rivals.cpu}
          {...(limits.cpu ? { limits: limits.cpu } : {})}
          legend={<UsageLegend hasRivals={rivals.areKnown} />}
        />
      )}
      {candidates.length > 1 && (
        <SafetyMargin evidence={evidence} savings={savings} picked={picked} onPick={setPicked} />
      )}
      {hourly.memory_bytes && (
        <Section title="Memory per pod" meta="same window" end={<UsageLegend hasRivals={rivals.areKnown} />}>
          <BandChart
            band={hourly.memory_bytes}
            from={window.from}
            format={bytes}
            unit={memoryUnit(requests.current.memory_bytes)}
            current={requests.current.memory_bytes}
            proposed={candidate?.memory_bytes ?? requests.proposed.memory_bytes}
            rivals={rivals.memory}
            {...(limits.memory ? { limits: limits.memory } : {})}
            label="Memory per pod"
            axis="memory"
          />
        </Section>
      )}
    </>
  )
}

type CpuProps = {
  band: NonNullable<Evidence['hourly']['cpu_millicores']>
  window: NonNullable<Evidence['window']>
  current: number | null
  proposed: number | null
  rivals: readonly Rival[]
  limits?: ChartLimits
  legend: ReactNode
}

function CpuUsage({ band, window, current, proposed, rivals, limits, legend }: CpuProps) {
  const { scale = scaleFor(band, [current]) } = useSearch({ from: '/shell/recommendations/$id' })
  const navigate = useNavigate({ from: '/recommendations/$id' })
  const change = (next: ScaleName) => void navigate({ search: (old) => ({ ...old, scale: next }), replace: true })
  return (
    <Section title="CPU per pod" meta={`${days(window.hours)}, by hour`} end={legend}>
      <BandChart
        band={band}
        from={window.from}
        format={cores}
        formatTick={coresOnAxis}
        current={current}
        proposed={proposed}
        rivals={rivals}
        {...(limits ? { limits } : {})}
        label="CPU per pod"
        axis={scale === 'log' ? 'CPU cores, log scale' : 'CPU cores'}
        scale={scale}
      />
      <div className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-3">
        Scale
        <Segmented label="Scale" value={scale} options={scales} onChange={change} />
        {scale === 'log' && 'Log scale: low usage stays visible, but areas are not proportional to cost.'}
      </div>
    </Section>
  )
}

const scales: { value: ScaleName; word: string }[] = [
  { value: 'linear', word: 'Linear' },
  { value: 'log', word: 'Log' },
]

/** Ticks at round binary sizes such as 512 MiB. */
const memoryUnit = (request: number | null) =>
  request !== null && request > 4 * 1024 ** 3 ? 1024 ** 3 : 64 * 1024 ** 2
