// Made-up causes in recorded fleets: a step, a spike or a ramp of one workload, as a share of the cost of the fleet.
import { FIRST_JUDGED, TOTAL, type Fleet, type Values } from './fleet.ts'
import { mean } from './money.ts'
import { seededRandom } from '../../test/seeded-random.ts'

export const KINDS = ['step', 'spike', 'ramp'] as const
export type CaseKind = (typeof KINDS)[number]

export type Case = {
  readonly kind: CaseKind
  readonly workload: string
  readonly share: number
  readonly from: number
  /** The cost that is added on each day from `from` on. */
  readonly added: Values
}

const SHARES = [0.02, 0.04, 0.08, 0.16, 0.32] as const
const DAYS: Record<CaseKind, number> = { step: 14, spike: 2, ramp: 21 }
const RAMP_DAYS = 14

export function makeCases(fleet: Fleet, countPerKind: number): Case[] {
  const random = seededRandom(17)
  const total = fleet.values.get(TOTAL) ?? []
  return KINDS.flatMap((kind) =>
    Array.from({ length: countPerKind }, (_, index) => {
      const days = busyDays(total, DAYS[kind])
      const from = days[Math.floor(random() * days.length)] ?? FIRST_JUDGED
      const share = SHARES[index % SHARES.length] ?? 0.02
      const workload = fleet.workloads[Math.floor(random() * fleet.workloads.length)] ?? ''
      const usd = share * mean(total.slice(from - 28, from))
      const heightOn = (day: number) => (kind === 'ramp' ? Math.min(1, (day + 1) / RAMP_DAYS) : 1)
      const added = Array.from({ length: DAYS[kind] }, (__, day) => usd * heightOn(day))
      return { kind, workload, share, from, added }
    }),
  )
}

/** Days after which the case ends within the data, and before which the fleet was in use. */
function busyDays(total: Values, length: number): number[] {
  const days = Array.from(
    { length: Math.max(0, total.length - length - FIRST_JUDGED) },
    (_, index) => FIRST_JUDGED + index,
  )
  return days.filter((day) => mean(total.slice(day - 28, day)) > mean(total) / 5)
}

/** The costs of the workload, its team and the fleet with the case in them. */
export function injected({ tree, values }: Fleet, { workload, from, added }: Case): Map<string, Values> {
  const keys = [workload, ...(tree.above.get(workload) ?? [])]
  return new Map(
    keys.map((key) => [key, (values.get(key) ?? []).map((value, day) => value + (added[day - from] ?? 0))]),
  )
}
