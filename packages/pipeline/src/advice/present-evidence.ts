import type { Evidence as ShownEvidence } from '@plimsoll/contract'
import { BYTES_PER_KIB, HOURS_PER_MONTH } from '@plimsoll/engine'
import {
  savingLinesOf,
  type ContainerSpec,
  type DemandEvidence,
  type Evidence,
  type HourlyBand,
  type Percentiles,
  type RuleFinding,
  type SavingLine,
} from '@plimsoll/engine/rules'

/** Bankable savings change more often than evidence is written, so only the row holds their reason. */
export type StoredEvidence = Omit<ShownEvidence, 'written_at' | 'bankable_because' | 'saving'> & {
  saving_lines: ShownEvidence['saving']['lines']
}

/** The evidence as it is stored and shown. The time of writing is stored beside it. */
export function presentEvidence(finding: RuleFinding, evidence: Evidence): StoredEvidence {
  const { confidence, currentSpec, recommendedSpec } = finding
  return {
    window: evidence.window && {
      from: isoOf(evidence.window.from),
      to: isoOf(evidence.window.to),
      hours: Math.round((evidence.window.to - evidence.window.from) / 3600),
    },
    sample_count: evidence.sampleCount,
    coverage: evidence.coverage,
    usage: { cpu_millicores: evidence.cpuMillicores, memory_bytes: percentileBytes(evidence.memoryKib) },
    requests: { current: sizes(currentSpec), proposed: sizes(recommendedSpec) },
    hourly: {
      cpu_millicores: band(evidence.hourlyCpuMillicores, 1),
      memory_bytes: band(evidence.hourlyMemoryKib, BYTES_PER_KIB),
      ...killsOf(evidence),
    },
    ...(evidence.demand === undefined ? {} : { demand: shownDemand(evidence.demand) }),
    backtest: {
      standing_days: evidence.standingDays,
      results: evidence.backtest.map(({ who, spec, risk, estimatedUsdPerMonth: usd, ...short }) => ({
        who,
        ...sizes(spec),
        ...shortage(short),
        risk,
        estimated_savings: usd === null ? null : Number(usd.toFixed(6)),
      })),
    },
    candidates: evidence.candidates.map(({ spec, estimatedUsdPerMonth, ...short }) => ({
      ...sizes(spec),
      ...shortage(short),
      estimated_savings: Number(estimatedUsdPerMonth.toFixed(6)),
    })),
    prices: evidence.prices.map((row) => ({
      rate_id: row.rateId,
      node_class: row.nodeClass,
      node_usd_per_hour: row.nodeUsdPerHour,
      cpu_usd_per_core_month: row.cpuUsdPerCoreMonth,
      memory_usd_per_gib_month: row.memoryUsdPerGibMonth,
      gpu_usd_per_gpu_month: row.gpuUsdPerGpuMonth,
      estimated: row.estimated,
      source: row.source,
      as_of: row.asOf,
    })),
    saving_lines: savingLinesOf(finding, evidence.savingLines).map(shownLine),
    confidence: { level: confidence, reasons: [...evidence.confidenceReasons] },
    caveats: [...evidence.caveats],
    checks: finding.checks.map((each) => ({ ...each })),
    facts: { ...evidence.facts },
  }
}

/** Most containers are never killed, so most evidence has no list of kills. */
const killsOf = ({ hourlyOomKills: kills = [] }: Evidence) =>
  kills.some((each) => each > 0) ? { oom_kills: [...kills] } : {}

const shownDemand = ({
  limits,
  unknownAbove,
  oomKills,
  leak,
}: DemandEvidence): NonNullable<StoredEvidence['demand']> => ({
  limits: { current: sizes(limits.current), proposed: sizes(limits.proposed) },
  unknown_above_limit: { ...unknownAbove },
  oom_kills: oomKills,
  leak: leak && {
    bytes_per_hour: Math.round(leak.kibPerHour * BYTES_PER_KIB),
    hours_to_kill: Number(leak.hoursToKill.toFixed(1)),
    hours_to_kill_proposed: leak.hoursToKillProposed === null ? null : Number(leak.hoursToKillProposed.toFixed(1)),
  },
})

const shownLine = ({ what, quantity, price, usdPerMonth }: SavingLine): StoredEvidence['saving_lines'][number] => ({
  what,
  quantity: quantity === null ? null : tidy(quantity),
  unit: price?.unit ?? null,
  usd_per_unit: price === null ? null : tidy(price.usd),
  per: price?.per ?? null,
  hours: price?.per === 'hour' ? HOURS_PER_MONTH : null,
  source: price?.source ?? null,
  as_of: price?.asOf ?? null,
  estimated: price?.isEstimated ?? false,
  usd_per_month: Number(usdPerMonth.toFixed(6)),
})

/** As many decimals as prices have. Further digits are floating-point noise. */
const tidy = (value: number) => Number(value.toFixed(10))

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()

const sizes = (spec: ContainerSpec | null) => ({
  cpu_millicores: spec?.cpuMillicores ?? null,
  memory_bytes: bytes(spec?.memoryKib ?? null),
})

const bytes = (kib: number | null) => (kib === null ? null : kib * BYTES_PER_KIB)

function percentileBytes(found: Percentiles | null): Percentiles | null {
  if (found === null) return null
  const { p50, p90, p95, p99, max } = found
  const of = (kib: number) => kib * BYTES_PER_KIB
  return { p50: of(p50), p90: of(p90), p95: of(p95), p99: of(p99), max: of(max) }
}

function band(found: HourlyBand | null, factor: number) {
  if (found === null) return null
  const of = (values: readonly (number | null)[]) => values.map((value) => (value === null ? null : value * factor))
  return { p50: of(found.p50), p90: of(found.p90), max: of(found.max) }
}

const shortage = (short: { minutesShort: number; volumeShort: number; oomDays: number }) => ({
  minutes_short: short.minutesShort,
  volume_short: short.volumeShort,
  oom_days: short.oomDays,
})
