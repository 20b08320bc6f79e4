import type { Folded } from './fold.ts'
import { isJudged, planOf, type Plan } from './plan.ts'
import { endDay, makeTally, score, stand, type Score, type Tally } from './tally.ts'

/** A series at the time of a decision: the samples before `at` are known, and the request applies until `to`. */
export type Seat = {
  /** The same id at every decision. */
  readonly id: number
  readonly folded: Folded
  readonly plan: Plan
  readonly at: number
  readonly to: number
  /** Whether the series is decided now; the others share the budget. */
  readonly isDue: boolean
}

/** Requests in cores or bytes, one per seat; requests of seats that are not due are ignored. */
export type Recommender = { readonly name: string; readonly decide: (seats: readonly Seat[]) => ArrayLike<number> }

export type Replay = { readonly scores: ReadonlyMap<string, Score>; readonly decisions: number }

/** Replays a fleet: the recommenders see only the past, and each request applies until the next decision. */
export function replay(
  fleet: readonly Folded[],
  resource: 'cpu' | 'memory',
  recommenders: readonly Recommender[],
  stepSeconds?: number,
): Replay {
  const judged = fleet
    .filter(({ series }) => series[resource])
    .map((folded) => ({ folded, plan: planOf(folded.series, stepSeconds) }))
    .filter(({ folded, plan }) => isJudged(folded.series, plan))
  const tallies = new Map(recommenders.map(({ name }) => [name, judged.map(({ plan }) => makeTally(plan))]))
  let decisions = 0
  for (const seats of moments(judged)) {
    decisions += seats.filter(({ isDue }) => isDue).length
    for (const { name, decide } of recommenders) settle(seats, decide(seats), resource, tallies.get(name) ?? [])
  }
  return { scores: new Map([...tallies].map(([name, own]) => [name, score(own)])), decisions }
}

function* moments(judged: readonly { folded: Folded; plan: Plan }[]): Generator<Seat[]> {
  const dueAt = (plan: Plan, length: number) => {
    const due: number[] = []
    for (let at = plan.warmUp; at < length; at += plan.step) due.push(at)
    return due
  }
  const all = judged.flatMap(({ folded, plan }) => dueAt(plan, folded.series.length))
  for (const at of [...new Set(all)].sort((a, b) => a - b)) {
    yield judged.flatMap(({ folded, plan }, id) => {
      const { length } = folded.series
      if (at < plan.warmUp || at >= length) return []
      const isDue = (at - plan.warmUp) % plan.step === 0
      return [{ id, folded, plan, at, to: Math.min(length, at + plan.step), isDue }]
    })
  }
}

function settle(seats: readonly Seat[], requests: ArrayLike<number>, resource: 'cpu' | 'memory', tallies: Tally[]) {
  seats.forEach(({ id, folded, plan, at, to, isDue }, index) => {
    const tally = tallies[id]
    const values = folded.series[resource]
    if (!isDue || !tally || !values) return
    stand(tally, values, { from: at, to, request: requests[index] ?? Number.NaN })
    endDay(tally, folded.series, plan, to)
  })
}
