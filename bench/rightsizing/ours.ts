import { decideFleet } from '../../packages/engine/src/testing/index.ts'
import {
  decideMemory,
  DIALS,
  GUARD_POLICY,
  type Dial,
  type FleetPolicy,
} from '../../packages/engine/src/rightsizing/index.ts'
import { BYTES_PER_KIB, hoursBefore, slotsBefore, UNITS_PER_CORE, usageBefore } from './fold.ts'
import { openHourlyFleet, stepHour } from './hourly-fleet.ts'
import type { Recommender, Seat } from './replay.ts'

/** Evaluates everything from the start, as the peers do, so no guard may withhold anything. */
const JUDGE_ALL = { ...GUARD_POLICY, historyDaysMin: 0, coverageMin: 0, spikeShareMax: 1 }
const FLOOR_UNITS = 100
const FLOOR_KIB = 20 * 1024

export function oursCpu(): Recommender[] {
  const balanced = DIALS.balanced
  const at = (dial: Dial) => ({ ...dial, givesBack: false })
  return [
    { name: "ours, VPA's total", decide: daily({ dial: at(balanced) }) },
    { name: "ours, KRR p95's total", decide: daily({ dial: { ...at(balanced), anchor: 'krr95' } }) },
    { name: 'ours, thrifty', decide: daily({ dial: at(DIALS.thrifty) }) },
    { name: 'ours, safe', decide: daily({ dial: DIALS.safe }) },
    { name: 'ours, balanced, giving back', decide: daily({ dial: balanced, rehearses: true }) },
    { name: 'ours, balanced, with band', decide: daily({ dial: at(balanced), keepsStanding: true }) },
  ]
}

function daily(own: Partial<FleetPolicy> & { dial: Dial }): Recommender['decide'] {
  const policy: FleetPolicy = { ...JUDGE_ALL, standingDays: 1, rehearses: false, keepsStanding: false, ...own }
  const standing = new Map<number, number>()
  return (seats) => {
    const containers = seats.map((seat) => containerOf(seat, standing.get(seat.id)))
    const { decisions } = decideFleet(containers, policy, momentOf(seats))
    return seats.map((seat, index) => {
      const decision = decisions[index]
      if (decision?.kind !== 'request') return Number.NaN
      if (seat.isDue) standing.set(seat.id, decision.units)
      return decision.units / UNITS_PER_CORE
    })
  }
}

/** Slots are needed once in six hours, so they are built on demand. */
function hourlyUsage({ folded, at }: Seat) {
  return {
    hours: hoursBefore(folded, at),
    get cpu() {
      return slotsBefore(folded, at)
    },
  }
}

function containerOf({ folded, at }: Seat, standingUnits: number | undefined) {
  const container = { usage: usageBefore(folded, at), facts: { coverage: 1 }, replicas: 1, floorUnits: FLOOR_UNITS }
  return standingUnits === undefined ? container : { ...container, standingUnits }
}

function momentOf(seats: readonly Seat[]): number {
  const [first] = seats
  return first ? first.at * first.folded.series.dt : 0
}

/** Memory at the total of KRR. A replay has no current request, so no decrease is limited. */
export function oursMemory(): Recommender[] {
  const decide: Recommender['decide'] = (seats) => {
    const containers = seats.map(({ folded, at }) => ({
      usage: usageBefore(folded, at),
      facts: { coverage: 1 },
      replicas: 1,
      floorKib: FLOOR_KIB,
    }))
    const { decisions } = decideMemory(containers, JUDGE_ALL, momentOf(seats))
    return decisions.map((decision) => (decision.kind === 'request' ? decision.kib * BYTES_PER_KIB : Number.NaN))
  }
  return [{ name: "ours, KRR's total", decide }]
}

export function oursHourly(): Recommender[] {
  const fleet = openHourlyFleet()
  const decide: Recommender['decide'] = (seats) => {
    const containers = seats.map((seat) => ({
      id: seat.id,
      usage: hourlyUsage(seat),
      replicas: 1,
      floorUnits: FLOOR_UNITS,
    }))
    const { units } = stepHour(fleet, containers, Math.floor(momentOf(seats) / 3600))
    return units.map((own) => own / UNITS_PER_CORE)
  }
  return [{ name: 'ours, in place', decide }]
}
