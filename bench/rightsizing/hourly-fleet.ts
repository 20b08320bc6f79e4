import { keepWithin, type Band } from '../../packages/engine/src/rightsizing/band.ts'
import {
  cornerAt,
  fillFrontier,
  makeFrontier,
  timeWeight,
  type Frontier,
} from '../../packages/engine/src/rightsizing/frontier.ts'
import { edgeOf } from '../../packages/engine/src/rightsizing/histogram.ts'
import {
  ATOM_SHARES,
  atomOf,
  fillHourlyForecast,
  indexOfHour,
  makeHourlyScratch,
  readBackground,
  vpaAtHour,
  type Background,
  type HourlyScratch,
} from './hourly-forecast.ts'
import { slotOf, type ContainerUsage, type HourlyCpu } from '../../packages/engine/src/rightsizing/usage-state.ts'

/** For requests that change in place every hour. */
const HOURLY_BAND: Band = { up: 0.03, down: 0.2 }

/** A container whose request can change in place every hour (Kubernetes 1.33 and later). */
export type HourlyContainer = {
  /** The same id in every hour. */
  readonly id: number
  readonly usage: Pick<ContainerUsage, 'cpu' | 'hours'>
  readonly replicas: number
  readonly floorUnits: number
}

/** Candidate prices of shortage; the last 7 days decide which one is used. */
const PRICES = [2, 3, 4, 6, 8, 11, 16, 24, 40, 80] as const
const WINDOW_HOURS = 7 * 24
const WINDOW_HOURS_MIN = 3 * 24
const GUARD = 0.95

/** One hour of a fleet: first VPA, then our result at each price. */
type HourSums = { readonly requested: Float64Array; readonly time: Float64Array; readonly volume: Float64Array }

type Standing = { background: Background | undefined; vpa: number; readonly units: Float64Array }

/** Hourly requests of a fleet; `stepHour` must be called for every hour once, in order. */
export type HourlyFleet = {
  readonly scratch: HourlyScratch
  readonly frontier: Frontier
  readonly standing: Map<number, Standing>
  readonly past: HourSums[]
}

export type HourlyStep = {
  /** CPU units, one per container. */
  readonly units: Float64Array
  /** The price of shortage from the last 7 days; without one, the requests of VPA are used. */
  readonly price: number | 'vpa'
}

export function openHourlyFleet(): HourlyFleet {
  return { scratch: makeHourlyScratch(), frontier: makeFrontier(), standing: new Map(), past: [] }
}

/** The requests for the epoch hour `hour`; usage must contain the data known at its start. */
export function stepHour(fleet: HourlyFleet, containers: readonly HourlyContainer[], hour: number): HourlyStep {
  judgeLastHour(fleet, containers, hour - 1)
  const meanUnits = meanOfLastHour(containers, hour - 1)
  for (const container of containers) renew(fleet, container, hour, meanUnits)
  const choice = choosePrice(fleet.past)
  const units = Float64Array.from(containers, ({ id }) => {
    const own = fleet.standing.get(id)
    return (choice === undefined ? own?.vpa : own?.units[choice]) ?? Number.NaN
  })
  return { units, price: choice === undefined ? 'vpa' : (PRICES[choice] ?? 'vpa') }
}

function renew(fleet: HourlyFleet, container: HourlyContainer, hour: number, meanUnits: number): void {
  const { scratch, frontier } = fleet
  const own = standingOf(fleet, container.id)
  if (own.background?.slot !== slotOf(hour * 3600)) {
    own.background = readBackground(scratch, container.usage.cpu, hour)
  }
  own.vpa = vpaAtHour(scratch, container.usage.hours, own.background, hour)
  fillHourlyForecast(scratch, container.usage.hours, own.background, hour)
  if (scratch.curve.weight === 0) return
  fillFrontier(frontier, scratch.curve, timeWeight(scratch.curve.mean, meanUnits))
  PRICES.forEach((price, index) => {
    const corner = cornerAt(frontier.prices, 0, frontier.count, price)
    const next = Math.max(container.floorUnits, edgeOf(frontier.buckets[corner] ?? 0))
    own.units[index] = keepWithin(HOURLY_BAND, own.units[index], next)
  })
}

function standingOf({ standing }: HourlyFleet, id: number): Standing {
  const known = standing.get(id)
  if (known) return known
  const made = { background: undefined, vpa: Number.NaN, units: new Float64Array(PRICES.length) }
  standing.set(id, made)
  return made
}

/** Evaluates the requests of `hour`, which has ended. */
function judgeLastHour(fleet: HourlyFleet, containers: readonly HourlyContainer[], hour: number): void {
  const size = PRICES.length + 1
  const sums: HourSums = {
    requested: new Float64Array(size),
    time: new Float64Array(size),
    volume: new Float64Array(size),
  }
  let judged = 0
  for (const { id, usage, replicas } of containers) {
    const own = fleet.standing.get(id)
    const index = indexOfHour(usage.hours, hour)
    if (!own || index === -1 || !(own.vpa > 0) || !((own.units[0] ?? 0) > 0)) continue
    judged++
    addShort(sums, 0, own.vpa, usage.hours, index, replicas)
    own.units.forEach((units, at) => addShort(sums, at + 1, units, usage.hours, index, replicas))
  }
  if (judged === 0) return
  fleet.past.push(sums)
  if (fleet.past.length > WINDOW_HOURS) fleet.past.shift()
}

// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
function addShort(sums: HourSums, at: number, units: number, hours: HourlyCpu, index: number, replicas: number): void {
  let time = 0
  let volume = 0
  for (let q = 0; q < ATOM_SHARES.length; q++) {
    const above = atomOf(hours, index, q) - units
    if (above <= 0) continue
    time += ATOM_SHARES[q] ?? 0
    volume += (ATOM_SHARES[q] ?? 0) * above
  }
  sums.requested[at] = (sums.requested[at] ?? 0) + replicas * units
  sums.time[at] = (sums.time[at] ?? 0) + replicas * time
  sums.volume[at] = (sums.volume[at] ?? 0) + replicas * volume
}

/** The index of the lowest price, with the smallest requests, that beat VPA in both measures and was no larger. */
function choosePrice(past: readonly HourSums[]): number | undefined {
  if (past.length < WINDOW_HOURS_MIN) return undefined
  const total = (pick: (sums: HourSums) => Float64Array, at: number) =>
    past.reduce((sum, hour) => sum + (pick(hour)[at] ?? 0), 0)
  const isBetter = (at: number) =>
    total(({ time }) => time, at) <= GUARD * total(({ time }) => time, 0) &&
    total(({ volume }) => volume, at) <= GUARD * total(({ volume }) => volume, 0) &&
    total(({ requested }) => requested, at) < total(({ requested }) => requested, 0)
  const found = PRICES.findIndex((_, index) => isBetter(index + 1))
  return found === -1 ? undefined : found
}

function meanOfLastHour(containers: readonly HourlyContainer[], hour: number): number {
  let sum = 0
  let weight = 0
  for (const { usage, replicas } of containers) {
    const index = indexOfHour(usage.hours, hour)
    if (index === -1) continue
    sum += replicas * (usage.hours.mean[index] ?? 0)
    weight += replicas
  }
  return weight > 0 ? sum / weight : 1
}
