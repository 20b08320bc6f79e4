import type { Batch } from './batch.ts'
import { historyLimits, type UsageFigures, type UsageHour } from './history.ts'
import { isCount } from './parse-batch.ts'
import { usageBuckets } from './usage-buckets.ts'
import type { ContainerEvent } from './versions.ts'

/** An inconsistent row; caught by the reader of the rows. */
export class BadRow extends Error {}

export function count(column: number[], row: number): number {
  const value = column[row]
  if (!isCount(value)) throw new BadRow(`${JSON.stringify(value)} is not a whole number`)
  return value
}

export function atMost(max: number, column: number[], row: number): number {
  const value = count(column, row)
  if (value > max) throw new BadRow(`${value} exceeds the maximum`)
  return value
}

type PeriodColumns = Pick<Batch['events'], 'cpu_periods' | 'throttled_periods'>

export function throttling(columns: PeriodColumns, row: number, max: number): Pick<ContainerEvent, 'throttling'> {
  const periods = columns.cpu_periods ? atMost(max, columns.cpu_periods, row) : 0
  const throttledPeriods = columns.throttled_periods ? count(columns.throttled_periods, row) : 0
  if (throttledPeriods > periods) throw new BadRow('throttled periods exceed all periods')
  return periods === 0 ? {} : { throttling: { periods, throttledPeriods } }
}

type UsageColumns = NonNullable<Batch['usage']>

/** Older agents do not send the columns of pod starts. */
export function startUp(columns: UsageColumns, row: number): Pick<UsageHour, 'startUp'> {
  const figure = (name: 'minutes' | 'cpu_mean' | 'cpu_max' | 'memory_max', max: number) => {
    const values = columns[`startup_${name}`]
    return values ? atMost(max, values, row) : 0
  }
  const minutes = figure('minutes', historyLimits.podMinutesMax)
  if (minutes === 0) return {}
  const cpuMean = figure('cpu_mean', usageBuckets.cpu.valueMax)
  const cpuMax = figure('cpu_max', usageBuckets.cpu.valueMax)
  if (cpuMean > cpuMax) throw new BadRow('the mean usage at start is above the maximum')
  const memoryMax = figure('memory_max', usageBuckets.memory.valueMax)
  return { startUp: { minutes, cpuMean, cpuMax, memoryMax } }
}

/** Figures and histogram describe the same samples. A mean above the maximum or a duplicate bucket is invalid. */
export function usageFigures(
  columns: UsageColumns,
  resource: 'cpu' | 'memory',
  runs: number[],
  row: number,
): UsageFigures {
  const { count: bucketCount, valueMax: max } = usageBuckets[resource]
  const figures = {
    mean: atMost(max, columns[`${resource}_mean`], row),
    max: atMost(max, columns[`${resource}_max`], row),
    hottest: atMost(max, columns[`${resource}_hottest`], row),
    buckets: run(columns[`${resource}_bucket`], runs, row),
    podMinutes: run(columns[`${resource}_pod_minutes`], runs, row),
  }
  if (figures.mean > figures.hottest || figures.hottest > figures.max) {
    throw new BadRow('the mean is above the busiest pod, or the busiest pod above the maximum')
  }
  demandHistogram(figures, bucketCount)
  return figures
}

function demandHistogram({ buckets, podMinutes }: UsageFigures, bucketCount: number): void {
  let before = -1
  for (const bucket of buckets) {
    if (bucket <= before || bucket >= bucketCount) throw new BadRow(`${bucket} is not the next bucket`)
    before = bucket
  }
  const total = podMinutes.reduce((sum, each) => sum + each, 0)
  if (podMinutes.includes(0) || total > historyLimits.podMinutesMax) {
    throw new BadRow('the histogram has empty buckets, or more minutes than possible')
  }
}

export function choice<Name>(names: readonly Name[], column: number[], row: number): Name {
  const name = names[count(column, row)]
  if (name === undefined) throw new BadRow(`phase or kind ${column[row]} does not exist`)
  return name
}

/** The index of the first entry of each row. parseBatch has validated the counts. */
export function runStarts(counts: number[]): number[] {
  const starts = [0]
  for (const each of counts) starts.push((starts.at(-1) ?? 0) + each)
  return starts
}

export function run(column: number[], starts: number[], row: number): number[] {
  const entries = column.slice(starts[row], starts[row + 1])
  if (!entries.every(isCount)) throw new BadRow('a reference is not a number')
  return entries
}
