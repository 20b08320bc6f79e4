import { compare } from '../apportion.ts'
import { ONE, divideRounded, type Decimal } from '../decimal.ts'
import { replayIncidents, type Evaluation } from './incident.ts'
import type { PartTree } from './part-tree.ts'

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

/** Smaller amounts open no incident. */
export function thresholdFloor(usdPerDay: Decimal): Decimal {
  const percent = divideRounded(usdPerDay, 100n)
  return percent > USD_MIN ? percent : USD_MIN
}

/** The smallest amount above which the past would have opened no more incidents than the alert budget. */
export function findThreshold({ tree, past, alertsPer30Days, usdPerDay }: ThresholdQuestion): Decimal {
  const floor = thresholdFloor(usdPerDay)
  const allowed = (alertsPer30Days * PAST_DAYS) / BUDGET_DAYS
  const candidates = excessesOver(past, floor)
  let threshold = candidates[0] ?? floor
  for (const candidate of [...candidates.slice(1), floor]) {
    if (openedOver(tree, past, candidate) > allowed) break
    threshold = candidate
  }
  return threshold
}

/** From the largest. Any other threshold opens the same incidents as one of these. */
function excessesOver(past: ThresholdQuestion['past'], floor: Decimal): Decimal[] {
  const found = new Set<Decimal>()
  for (const { scores } of past) {
    for (const { excess, isFitted } of scores.values()) if (isFitted && excess > floor) found.add(excess)
  }
  return [...found].sort((a, b) => compare(b, a))
}

function openedOver(tree: PartTree, past: ThresholdQuestion['past'], threshold: Decimal): number {
  const { events } = replayIncidents(
    tree,
    past.map((each) => ({ ...each, threshold })),
  )
  return events.filter(({ kind }) => kind === 'opened').length
}
