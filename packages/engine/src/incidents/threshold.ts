import { compare } from '../apportion.ts'
import { ONE, divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_DAY } from '../forecast/day-cost.ts'
import { replayIncidents, type Evaluation } from './incident.ts'
import { PART_LEVELS, type PartTree } from './part-tree.ts'

export type ThresholdQuestion = {
  readonly tree: PartTree
  /** Of the last 60 days. */
  readonly past: readonly Omit<Evaluation, 'threshold' | 'facts'>[]
  readonly alertsPer30Days: number
  /** The mean cost of a day of the installation. */
  readonly usdPerDay: Decimal
}

const USD_MIN = ONE
const BUDGET_DAYS = 30

/** A shorter past gives a lower threshold, and more alerts until 60 days are known. */
const PAST_DAYS = 60

/** At most 100 parts of a level can exceed 1 % of the daily cost at once. */
const PARTS_PER_LEVEL = 100

/** Smaller amounts open no incident. */
export function thresholdFloor(usdPerDay: Decimal): Decimal {
  const percent = divideRounded(usdPerDay, 100n)
  return percent > USD_MIN ? percent : USD_MIN
}

/**
 * An amount above which the past opens no more incidents than the alert budget, while the next smaller candidate opens more.
 * The number of incidents does not always rise as the threshold falls: a lower threshold may join two incidents. A still
 * smaller amount may therefore keep the budget too.
 */
export function findThreshold({ tree, past, alertsPer30Days, usdPerDay }: ThresholdQuestion): Decimal {
  const floor = thresholdFloor(usdPerDay)
  const allowed = (alertsPer30Days * PAST_DAYS) / BUDGET_DAYS
  const peaks = peaksOver(past, floor)
  const kept = withParts(past, partsToReplay(tree, peaks))
  const candidates = [floor, ...candidatesOf(peaks)]
  // Nothing is above the last candidate, so it keeps every budget.
  let [low, high] = [0, candidates.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (openedOver(tree, kept, candidates[middle] ?? floor) <= allowed) high = middle
    else low = middle + 1
  }
  return candidates[high] ?? floor
}

/** The largest excess of each part on each day, if it is over the floor. */
type Peaks = ReadonlyMap<string, ReadonlyMap<number, Decimal>>

function peaksOver(past: ThresholdQuestion['past'], floor: Decimal): Peaks {
  const peaks = new Map<string, Map<number, Decimal>>()
  for (const { hour, scores } of past) {
    const day = Math.floor(hour / HOURS_PER_DAY)
    for (const [part, { excess }] of scores) {
      if (excess <= floor) continue
      const ofPart = peaks.get(part) ?? new Map<number, Decimal>()
      peaks.set(part, ofPart)
      if (excess > (ofPart.get(day) ?? floor)) ofPart.set(day, excess)
    }
  }
  return peaks
}

/** From the smallest. */
function candidatesOf(peaks: Peaks): Decimal[] {
  const found = new Set([...peaks.values()].flatMap((ofPart) => [...ofPart.values()]))
  return [...found].sort(compare)
}

/** The parts with the largest peaks of each level. Clusters and their idle cost show which incidents are shifts. */
function partsToReplay(tree: PartTree, peaks: Peaks): Set<string> {
  const kept = new Set<string>()
  for (const level of PART_LEVELS) {
    const ofLevel = [...tree.parts.values()].filter((part) => part.level === level).map(({ key }) => key)
    const isNeeded = level === 'cluster' || level === 'idle'
    const largest = ofLevel
      .map((key): [string, Decimal] => [key, largestOf(peaks.get(key))])
      .filter(([, usd]) => usd > 0n)
      .sort(([a, x], [b, y]) => compare(y, x) || compare(a, b))
      .slice(0, PARTS_PER_LEVEL)
    for (const key of isNeeded ? ofLevel : largest.map(([part]) => part)) kept.add(key)
  }
  return kept
}

const largestOf = (peaks: ReadonlyMap<number, Decimal> = new Map()): Decimal =>
  [...peaks.values()].reduce((most, usd) => (usd > most ? usd : most), 0n)

const withParts = (past: ThresholdQuestion['past'], parts: ReadonlySet<string>): ThresholdQuestion['past'] =>
  past.map((each) => ({ ...each, scores: new Map([...each.scores].filter(([part]) => parts.has(part))) }))

function openedOver(tree: PartTree, past: ThresholdQuestion['past'], threshold: Decimal): number {
  const { events } = replayIncidents(
    tree,
    past.map((each) => ({ ...each, threshold })),
  )
  return events.filter(({ kind }) => kind === 'opened').length
}
