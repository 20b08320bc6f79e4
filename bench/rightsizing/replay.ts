import type { Folded } from './fold.ts'
import { isJudged, planOf, type Plan } from './plan.ts'
import { endDay, makeTally, score, stand, type Score, type Tally } from './tally.ts'

/** A series at a moment of decision: it knows the samples before `at`; its request then stands until `to`. */
export type Seat = {
  /** Which series it is, the same at every moment. */
  readonly id: number
  readonly folded: Folded
  readonly plan: Plan
  readonly at: number
  readonly to: number
  /** Whether the series is decided now; others are there because they share the budget. */
  readonly isDue: boolean
}

/** Requests in cores or bytes, one per seat; what is asked for seats that are not due is ignored. */
export type Recommender = { readonly name: string; readonly decide: (seats: readonly Seat[]) => ArrayLike<number> }

export type Replay = { readonly scores: ReadonlyMap<string, Score>; readonly decisions: number }

/** Replays a fleet: at each moment the recommenders see the past only, and what they ask for stands until the next one. */
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
    stand(tally, values, at, to, requests[index] ?? Number.NaN)
    endDay(tally, folded.series, plan, to)
  })
}
