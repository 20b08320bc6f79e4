import { shortAt, type Curve } from './curve.ts'
import type { Anchor } from './dial.ts'
import { GRID_SIZE } from './price-grid.ts'

/**
 * What would have happened, per rehearsed decision, summed over a fleet: for VPA's request, and for ours at each point of the
 * price grid. Time is the share of samples above the request, volume what they exceeded it by; both weighted by replicas.
 */
export type Rehearsal = {
  readonly rounds: number
  readonly weight: Float64Array
  readonly use: Float64Array
  readonly vpa: ShortSums
  readonly krr95: Float64Array
  readonly krr99: Float64Array
  /** `rounds` × `GRID_SIZE`. */
  readonly ours: ShortSums
}

export type ShortSums = {
  readonly requested: Float64Array
  readonly time: Float64Array
  readonly volume: Float64Array
}

/** What one container would have had in one round; scratch. */
export type Proposal = { isMade: boolean; vpa: number; krr95: number; krr99: number; readonly grid: Float64Array }

/** Over all rounds: R is what was requested by what was used. */
export type Outcome = { readonly r: number; readonly time: number; readonly volume: number }

export function makeRehearsal(rounds: number): Rehearsal {
  const sums = (size: number) => new Float64Array(size)
  const shorts = (size: number) => ({ requested: sums(size), time: sums(size), volume: sums(size) })
  return {
    rounds,
    weight: sums(rounds),
    use: sums(rounds),
    vpa: shorts(rounds),
    krr95: sums(rounds),
    krr99: sums(rounds),
    ours: shorts(rounds * GRID_SIZE),
  }
}

export function makeProposal(): Proposal {
  return { isMade: false, vpa: 0, krr95: 0, krr99: 0, grid: new Float64Array(GRID_SIZE) }
}

/** Adds what came of a proposal; `actual` is the use while it stood. */
export function judge(rehearsal: Rehearsal, round: number, proposal: Proposal, actual: Curve, replicas: number): void {
  if (!proposal.isMade || actual.weight === 0) return
  increase(rehearsal.weight, round, replicas)
  increase(rehearsal.use, round, replicas * actual.mean)
  increase(rehearsal.krr95, round, replicas * proposal.krr95)
  increase(rehearsal.krr99, round, replicas * proposal.krr99)
  addShort(rehearsal.vpa, round, proposal.vpa, actual, replicas)
  judgeGrid(rehearsal.ours, round * GRID_SIZE, proposal.grid, actual, replicas)
}

/** The outcome had the fleet spent `share` of an anchor's total in every round. */
export function outcomeOfShare(rehearsal: Rehearsal, anchor: Anchor, share: number): Outcome {
  const total = { requested: 0, time: 0, volume: 0 }
  for (let round = 0; round < rehearsal.rounds; round++) {
    const budget = share * anchorTotal(rehearsal, anchor, round)
    const { requested, time, volume } = atBudget(rehearsal.ours, round * GRID_SIZE, budget)
    total.requested += requested
    total.time += time
    total.volume += volume
  }
  return outcome(rehearsal, total)
}

export function outcomeOfVpa(rehearsal: Rehearsal): Outcome {
  const { requested, time, volume } = rehearsal.vpa
  return outcome(rehearsal, { requested: sum(requested), time: sum(time), volume: sum(volume) })
}

/** How many rounds have anything to say. */
export function judgedRounds({ weight }: Rehearsal): number {
  return weight.filter((own) => own > 0).length
}

function outcome(rehearsal: Rehearsal, total: { requested: number; time: number; volume: number }): Outcome {
  const use = sum(rehearsal.use)
  const weight = sum(rehearsal.weight)
  if (!(use > 0) || !(weight > 0)) return { r: 0, time: 0, volume: 0 }
  return { r: total.requested / use, time: total.time / weight, volume: total.volume / use }
}

function anchorTotal({ vpa, krr95, krr99 }: Rehearsal, anchor: Anchor, round: number): number {
  const totals = {
    vpa: vpa.requested[round] ?? 0,
    krr95: krr95[round] ?? 0,
    krr99: krr99[round] ?? 0,
    safest: Math.max(vpa.requested[round] ?? 0, krr99[round] ?? 0),
  }
  return totals[anchor]
}

function judgeGrid(sums: ShortSums, offset: number, grid: Float64Array, actual: Curve, replicas: number): void {
  let units = -1
  let short = { share: 0, units: 0 }
  for (let point = 0; point < GRID_SIZE; point++) {
    const request = grid[point] ?? 0
    if (request !== units) {
      units = request
      short = shortAt(actual, units)
    }
    increase(sums.requested, offset + point, replicas * units)
    increase(sums.time, offset + point, replicas * short.share)
    increase(sums.volume, offset + point, replicas * short.units)
  }
}

function addShort(sums: ShortSums, round: number, units: number, actual: Curve, replicas: number): void {
  const short = shortAt(actual, units)
  increase(sums.requested, round, replicas * units)
  increase(sums.time, round, replicas * short.share)
  increase(sums.volume, round, replicas * short.units)
}

/** Between the two points of the grid that enclose the budget, in proportion. */
function atBudget({ requested, time, volume }: ShortSums, offset: number, budget: number) {
  let above = offset
  while (above < offset + GRID_SIZE - 1 && (requested[above] ?? 0) < budget) above++
  const below = Math.max(offset, above - 1)
  const step = (requested[above] ?? 0) - (requested[below] ?? 0)
  const part = step > 0 ? Math.min(1, Math.max(0, (budget - (requested[below] ?? 0)) / step)) : 0
  const between = (sums: Float64Array) => (1 - part) * (sums[below] ?? 0) + part * (sums[above] ?? 0)
  return { requested: between(requested), time: between(time), volume: between(volume) }
}

function increase(sums: Float64Array, index: number, by: number): void {
  sums[index] = (sums[index] ?? 0) + by
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}
