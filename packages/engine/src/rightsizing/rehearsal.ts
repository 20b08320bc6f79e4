import { readShort, shortAt, type Curve } from './curve.ts'
import type { Anchor } from './safety-margin.ts'
import { edgeOf } from './histogram.ts'
import { GRID_SIZE } from './price-grid.ts'

/**
 * The outcome per rehearsed decision, summed over a fleet: for the VPA request, and for our request at each point of
 * the price grid. Time is the share of samples above the request, volume is their excess; both weighted by replicas.
 */
export type Rehearsal = {
  readonly rounds: number
  readonly weight: Float64Array
  readonly use: Float64Array
  readonly vpa: ShortSums
  /** The request of the anchor of the budget. */
  readonly anchor: Float64Array
  /** `rounds` × `GRID_SIZE`; each point holds the difference to the previous point. */
  readonly ours: ShortSums
}

export type ShortSums = {
  readonly requested: Float64Array
  readonly time: Float64Array
  readonly volume: Float64Array
}

/** The requests of one container in one round; scratch. */
export type Proposal = { isMade: boolean; vpa: number; anchor: number; readonly grid: Float64Array }

/** Over all rounds: R is requested divided by used. */
export type Rehearsed = { readonly r: number; readonly time: number; readonly volume: number }

export function makeRehearsal(rounds: number): Rehearsal {
  const sums = (size: number) => new Float64Array(size)
  const shorts = (size: number) => ({ requested: sums(size), time: sums(size), volume: sums(size) })
  return {
    rounds,
    weight: sums(rounds),
    use: sums(rounds),
    vpa: shorts(rounds),
    anchor: sums(rounds),
    ours: shorts(rounds * GRID_SIZE),
  }
}

export function makeProposal(): Proposal {
  return { isMade: false, vpa: 0, anchor: 0, grid: new Float64Array(GRID_SIZE) }
}

/** Adds the outcome of a proposal; `actual` is the usage while it stood. */
// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
export function judge(rehearsal: Rehearsal, round: number, proposal: Proposal, actual: Curve, replicas: number): void {
  if (!proposal.isMade || actual.weight === 0) return
  increase(rehearsal.weight, round, replicas)
  increase(rehearsal.use, round, replicas * actual.mean)
  increase(rehearsal.anchor, round, replicas * proposal.anchor)
  addShort(rehearsal.vpa, round, proposal.vpa, actual, replicas)
  judgeGrid(rehearsal.ours, round * GRID_SIZE, proposal.grid, actual, replicas)
}

/** The outcome if the fleet spent `share` of the anchor total in every round. */
export function outcomeOfShare(rehearsal: Rehearsal, anchor: Anchor, share: number): Rehearsed {
  const total = { requested: 0, time: 0, volume: 0 }
  for (let round = 0; round < rehearsal.rounds; round++) {
    const totalUnits = share * anchorTotal(rehearsal, anchor, round)
    const { requested, time, volume } = atTotal(rehearsal.ours, round * GRID_SIZE, totalUnits)
    total.requested += requested
    total.time += time
    total.volume += volume
  }
  return outcome(rehearsal, total)
}

export function outcomeOfVpa(rehearsal: Rehearsal): Rehearsed {
  const { requested, time, volume } = rehearsal.vpa
  return outcome(rehearsal, { requested: sum(requested), time: sum(time), volume: sum(volume) })
}

/** The number of rounds with data. */
export function judgedRounds({ weight }: Rehearsal): number {
  return weight.filter((own) => own > 0).length
}

function outcome(rehearsal: Rehearsal, total: { requested: number; time: number; volume: number }): Rehearsed {
  const use = sum(rehearsal.use)
  const weight = sum(rehearsal.weight)
  if (!(use > 0) || !(weight > 0)) return { r: 0, time: 0, volume: 0 }
  return { r: total.requested / use, time: total.time / weight, volume: total.volume / use }
}

function anchorTotal({ vpa, anchor }: Rehearsal, name: Anchor, round: number): number {
  const own = anchor[round] ?? 0
  return name === 'safest' ? Math.max(own, vpa.requested[round] ?? 0) : own
}

/** Adds only at points where the request changes, which are few. */
// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
function judgeGrid(sums: ShortSums, offset: number, grid: Float64Array, actual: Curve, replicas: number): void {
  const short = { share: 0, units: 0 }
  let [unitsBefore, shareBefore, volumeBefore] = [0, 0, 0]
  let bucket = actual.lo
  for (let point = 0; point < GRID_SIZE; point++) {
    const units = grid[point] ?? 0
    if (units === unitsBefore) continue
    // Both ascend, so the search continues from the last bucket.
    while (bucket <= actual.hi && edgeOf(bucket) < units) bucket++
    readShort(actual, bucket === actual.lo && isBelow(actual, units) ? bucket - 1 : bucket, units, short)
    increase(sums.requested, offset + point, replicas * (units - unitsBefore))
    increase(sums.time, offset + point, replicas * (short.share - shareBefore))
    increase(sums.volume, offset + point, replicas * (short.units - volumeBefore))
    unitsBefore = units
    shareBefore = short.share
    volumeBefore = short.units
  }
}

function isBelow({ lo }: Curve, units: number): boolean {
  return lo > 0 && units <= edgeOf(lo - 1)
}

// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
function addShort(sums: ShortSums, round: number, units: number, actual: Curve, replicas: number): void {
  const short = shortAt(actual, units)
  increase(sums.requested, round, replicas * units)
  increase(sums.time, round, replicas * short.share)
  increase(sums.volume, round, replicas * short.units)
}

/** Interpolates between the two grid points around the budget. */
function atTotal(sums: ShortSums, offset: number, total: number) {
  const at = { requested: 0, time: 0, volume: 0 }
  for (let point = offset; point < offset + GRID_SIZE; point++) {
    const step = sums.requested[point] ?? 0
    const isFirst = point === offset
    const part = isFirst || step <= 0 ? 1 : Math.min(1, Math.max(0, (total - at.requested) / step))
    at.requested += part * step
    at.time += part * (sums.time[point] ?? 0)
    at.volume += part * (sums.volume[point] ?? 0)
    if (part < 1) break
  }
  return at
}

function increase(sums: Float64Array, index: number, by: number): void {
  sums[index] = (sums[index] ?? 0) + by
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}
