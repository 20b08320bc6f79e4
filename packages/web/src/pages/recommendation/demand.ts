import type { Evidence } from '@plimsoll/contract'
import { bytes, cores, days, tenths } from '../../format/quantity.ts'

type Demand = NonNullable<Evidence['demand']>

/** What the back-test cannot prove, for the line below its table; empty: the usage never touched a limit. */
export function unprovenWords(demand: Demand | undefined): string {
  if (!demand) return ''
  const { limits, unknown_above_limit: unknown } = demand
  const { cpu_millicores: cpu, memory_bytes: memory } = limits.current
  const never = [
    ...(unknown.memory && memory !== null ? [`memory above ${bytes(memory)}`] : []),
    ...(unknown.cpu && cpu !== null ? [`CPU above ${cores(cpu)}`] : []),
  ]
  return never.length === 0 ? '' : `Demand above the limit is unknown: ${never.join(' and ')} was never measured.`
}

/** Names the leak and the time to the next kill; empty: no sign of a leak. */
export function leakWords(demand: Demand | undefined): string {
  const leak = demand?.leak
  if (!leak) return ''
  const now = `${hours(leak.hours_to_kill)} with the current limit`
  const then =
    leak.hours_to_kill_proposed === null
      ? ''
      : `, ${hours(leak.hours_to_kill_proposed)} with the proposed limit, if memory grows as measured`
  return `Memory leak: memory grows by about ${bytes(leak.bytes_per_hour)} per hour. Next OOM kill after about ${now}${then}.`
}

const hours = (many: number) => (many < 48 ? `${tenths(many)} h` : days(many))
