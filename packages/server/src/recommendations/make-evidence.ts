import { groupBy } from '@plimsoll/engine'
import { CPU_UNITS_PER_MILLICORE } from '@plimsoll/engine/rightsizing'
import type { Evidence, HourlyBand, Percentiles, RuleFinding } from '@plimsoll/engine/rules'
import type { Db } from '../platform/db/database.ts'
import type { NewEvidence } from './queries/evidence.ts'
import { listBands, listMemoryHistograms, type HourBand } from './queries/usage-facts.ts'
import { containerIdOf } from '../ingest/index.ts'
import { emptyHistogram, mergeHistograms, percentile, type UsageHistogram } from '@plimsoll/pipeline/fold'
import { presentEvidence } from '@plimsoll/pipeline/advice'

type IdentifiedFinding = { id: string; finding: RuleFinding }

const secondsPerHour = 3600
const secondsPerSlot = 6 * secondsPerHour

/** Adds what rules do not need: the hours of the window, and its memory usage. */
export async function makeEvidence(
  tx: Db,
  clusterId: string,
  some: readonly IdentifiedFinding[],
): Promise<NewEvidence[]> {
  const measured = some.flatMap(({ finding }) => containerOf(finding) ?? [])
  const windows = some.flatMap(({ finding }) => (containerOf(finding) === null ? [] : (finding.evidence.window ?? [])))
  const from = Math.min(...windows.map((window) => window.from))
  const to = Math.max(...windows.map((window) => window.to))
  const span = windows.length === 0 ? { from: 0, to: 0 } : { from, to }
  const bands = groupBy(await listBands(tx, clusterId, measured, timesIn(span, secondsPerHour)), containerIdIn)
  const memory = groupBy(
    await listMemoryHistograms(tx, clusterId, measured, timesIn(span, secondsPerSlot)),
    containerIdIn,
  )
  return some.map(({ id, finding }) => {
    const containerId = containerOf(finding)
    const { evidence } = finding
    if (containerId === null || evidence.window === null) return { id, evidence: presentEvidence(finding, evidence) }
    const hours = hourly(evidence.window, bands.get(containerId) ?? [])
    const used = {
      cpuMillicores: upTo(evidence.cpuMillicores, hours.hourlyCpuMillicores),
      memoryKib: upTo(memoryUse(memory.get(containerId) ?? []), hours.hourlyMemoryKib),
    }
    return { id, evidence: presentEvidence(finding, { ...evidence, ...hours, ...used }) }
  })
}

const containerIdIn = ({ containerId }: { containerId: string }) => containerId

/** Null: not about a single container. */
function containerOf({ target, workload }: RuleFinding): string | null {
  if (!workload || workload.container === '') return null
  return containerIdOf([target.namespace, workload.kind, workload.name, workload.container])
}

function timesIn({ from, to }: { from: number; to: number }, step: number): Date[] {
  const first = Math.floor(from / step)
  return Array.from(
    { length: Math.max(0, Math.ceil(to / step) - first) },
    (_, index) => new Date((first + index) * step * 1000),
  )
}

function hourly({ from, to }: { from: number; to: number }, rows: readonly HourBand[]) {
  const first = Math.floor(from / secondsPerHour)
  const length = Math.max(0, Math.floor(to / secondsPerHour) - first)
  const none = () => new Array<number | null>(length).fill(null)
  const indexOf = (hour: Date) => hour.getTime() / 1000 / secondsPerHour - first
  const band = (resource: 'cpu' | 'memory', unitsPerShown: number): HourlyBand => {
    const shown = { p50: none(), p90: none(), max: none() }
    for (const { hour, [resource]: figures } of rows) {
      const index = indexOf(hour)
      if (index < 0 || index >= length) continue
      const [p50, p90, max] = figures.map((value) => value / unitsPerShown)
      shown.p50[index] = p50 ?? null
      shown.p90[index] = p90 ?? null
      shown.max[index] = max ?? null
    }
    return shown
  }
  const hourlyOomKills = new Array<number>(length).fill(0)
  for (const { hour, oomKills } of rows) {
    const index = indexOf(hour)
    if (index >= 0 && index < length) hourlyOomKills[index] = oomKills
  }
  return {
    hourlyCpuMillicores: band('cpu', CPU_UNITS_PER_MILLICORE),
    hourlyMemoryKib: band('memory', 1),
    hourlyOomKills,
  }
}

/**
 * The maximum comes from the hours: histograms know it only by a bucket edge, and slots reach beyond the window.
 * Without hours the value of the histogram stays.
 */
function upTo(found: Percentiles | null, { max: hours }: HourlyBand): Percentiles | null {
  const known = hours.filter((value) => value !== null)
  if (found === null || known.length === 0) return found
  const max = known.reduce((most, value) => Math.max(most, value), 0)
  const below = (value: number) => Math.min(value, max)
  return { p50: below(found.p50), p90: below(found.p90), p95: below(found.p95), p99: below(found.p99), max }
}

function memoryUse(rows: readonly { max: number; histogram: UsageHistogram }[]): Evidence['memoryKib'] {
  const histogram = rows.reduce((sum, row) => mergeHistograms(sum, row.histogram), emptyHistogram)
  if (histogram.buckets.length === 0) return null
  const max = Math.max(...rows.map((row) => row.max))
  const at = (share: number) => percentile(histogram, share, max)
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max }
}
