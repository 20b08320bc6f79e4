import type { Changes } from '@plimsoll/contract'
import type { EffectKind } from '@plimsoll/engine/vocabulary'
import { BYTES_PER_KIB, formatDecimal, MICROCORES_PER_MILLICORE, type Decimal, type Resource } from '@plimsoll/engine'
import {
  addLine,
  emptyLine,
  readEffectKey,
  type ChangeLine,
  type EffectSums,
  type Pair,
} from '@plimsoll/engine/changes'
import { hoursIn, presentWindow } from '../parse-window.ts'
import type { ChangesOptions } from './cluster-comparison.ts'
import type { GroupLine, WorkloadFacts } from './group-lines.ts'
import type { ClusterChanges } from './load-cluster-changes.ts'
import { largestFirst, presentAmount, presentAmounts, presentCosts } from './present-amounts.ts'
import { comparedClusters, coverageOf } from '../shown-cover.ts'
import { presentClass } from './present-class.ts'
import { presentWaterfall } from './present-waterfall.ts'

export function presentChanges(
  clusters: readonly ClusterChanges[],
  lines: readonly GroupLine[],
  options: ChangesOptions,
): Changes {
  const { windows, grouping, rowsMax } = options
  const sorted = largestFirst(
    lines,
    ({ before, now }) => now - before,
    ({ names }) => names.join('\n'),
  )
  const rest = sorted.slice(rowsMax)
  const coversOf = (side: 'before' | 'now') => clusters.map(({ covers }) => covers[side])
  const compared = comparedClusters(coversOf('before'))
  const coverage = (side: 'before' | 'now') => coverageOf(coversOf(side), windows[side], compared)
  return {
    window: presentWindow(windows.now),
    compare_window: presentWindow(windows.before),
    data_status: coverage('now').status,
    hours_with_data: Math.round(coverage('now').hoursWithData),
    compare_data_status: coverage('before').status,
    compare_hours_with_data: Math.round(coverage('before').hoursWithData),
    currency: 'USD',
    cluster_ids: clusters.map(({ covers }) => covers.now.clusterId),
    clusters: clusters.map(({ named: { id, name } }) => ({ id, name })),
    by: grouping.names,
    total: presentSum(sorted),
    rows: sorted.slice(0, rowsMax).map((line) => ({
      names: Object.fromEntries(grouping.names.map((name, at) => [name, line.names[at] ?? ''])),
      ...presentLine(line, line.unpriced),
      ...(line.facts ? { workload: presentFacts(line.facts) } : {}),
    })),
    rest: { rows: rest.length, ...presentSum(rest) },
    waterfall: options.hasWaterfall ? presentBill(clusters, options) : null,
  }
}

function presentBill(clusters: readonly ClusterChanges[], options: ChangesOptions) {
  const bills = clusters.flatMap(({ bill }) => bill ?? [])
  return presentWaterfall(bills, { hours: sameHours(options), canReadSteps: options.canReadSteps })
}

function sameHours({ windows: { before, now } }: ChangesOptions): number | null {
  const hours = hoursIn(now)
  return hours > 0 && hours === hoursIn(before) ? hours : null
}

function presentSum(lines: readonly GroupLine[]) {
  const sum = emptyLine()
  for (const line of lines) addLine(sum, line)
  return presentLine(
    sum,
    lines.some(({ unpriced }) => unpriced),
  )
}

function presentLine({ before, now, effects }: ChangeLine, unpriced: boolean) {
  return {
    ...presentCosts({ before, now }),
    exact_difference: formatDecimal(now - before),
    effects: presentEffects(effects, { before, now }),
    unpriced,
  }
}

function presentEffects(effects: EffectSums, usd: Pair<Decimal>): Changes['total']['effects'] {
  const sorted = largestFirst(
    [...effects],
    ([, amount]) => amount,
    ([key]) => key,
  )
  const amounts = presentAmounts(
    sorted.map(([, amount]) => amount),
    usd,
  )
  return sorted.map(([key, amount], at) => {
    const { part, kind, detail } = readEffectKey(key)
    return { part, kind, ...presentDetail(kind, detail), ...(amounts[at] ?? presentAmount(amount)) }
  })
}

function presentDetail(kind: EffectKind, detail: string): { resource?: Resource; class?: string } {
  if (detail === '') return {}
  return kind === 'request' || kind === 'usage' ? { resource: detail as Resource } : { class: presentClass(detail) }
}

const bytesPerKib = BigInt(BYTES_PER_KIB)
const microcoresPerMillicore = BigInt(MICROCORES_PER_MILLICORE)

function presentFacts({ before, now }: WorkloadFacts) {
  const two = <Value>(of: (side: WorkloadFacts['now']) => Value) => ({ before: of(before), now: of(now) })
  const perPod = (sum: bigint, seconds: bigint) =>
    seconds === 0n ? null : Number((2n * sum + seconds) / (2n * seconds))
  return {
    pods: two(({ pods }) => Number(pods.toFixed(2))),
    cpu_request_millicores: two(({ cpuRequest, seconds }) => perPod(cpuRequest, seconds * microcoresPerMillicore)),
    memory_request_bytes: two(({ memoryRequest, seconds }) => perPod(memoryRequest * bytesPerKib, seconds)),
  }
}
