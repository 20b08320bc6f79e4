import type { ContainerFacts, UsageFacts } from '../facts/cluster-facts.ts'
import type { Leak } from '../finding.ts'

/** A slightly low limit causes rare OOM kills; a leak fills any limit. */
export const LEAK_KILLS_MIN = 10

/**
 * Share of the range from the start to the limit that memory has reached most of the time. A short peak leaves it
 * near the start.
 */
const RISEN_SHARE = 0.2
const HOURS_PER_DAY = 24
const SECONDS_PER_HOUR = 3600

/** How well a straight line explains the typical daily memory, and how much it rises. */
const DAYS_MIN = 7
const FIT_MIN = 0.8
const RISE_MIN = 0.25

/**
 * Memory that grows until the container is killed or restarted. More memory delays the next kill and does not prevent it. Null: no
 * sign of a leak.
 */
export function leakOf(container: ContainerFacts, usage: UsageFacts, proposedLimitKib: number | null): Leak | null {
  const { memoryLimitKib: limitKib } = container
  if (limitKib === null) return null
  return (
    leakBetweenKills(container, usage, { limitKib, proposedLimitKib }) ??
    leakOverDays(container, usage, { limitKib, proposedLimitKib })
  )
}

type Limits = { readonly limitKib: number; readonly proposedLimitKib: number | null }

/** Each pod fills its limit between two kills. Without a known start the growth counts from zero, so the next kill is not later. */
function leakBetweenKills({ oomKills }: ContainerFacts, usage: UsageFacts, limits: Limits): Leak | null {
  const { limitKib, proposedLimitKib } = limits
  if (oomKills < LEAK_KILLS_MIN) return null
  const startKib = Math.min(usage.startUp.memoryMaxKib, limitKib)
  if (mean(usage.memory.typical) < startKib + RISEN_SHARE * (limitKib - startKib)) return null
  const podHours = (Math.max(1, usage.replicasMean) * (usage.window.to - usage.window.from)) / SECONDS_PER_HOUR
  const hours = podHours / oomKills
  const kibPerHour = (limitKib - startKib) / hours
  if (!(kibPerHour > 0)) return null
  return {
    kibPerHour,
    hoursToKill: hours,
    hoursToKillProposed: proposedLimitKib === null ? null : Math.max(0, proposedLimitKib - startKib) / kibPerHour,
  }
}

/** Slower: memory rises from day to day, and the container was restarted. */
function leakOverDays({ oomKills }: ContainerFacts, usage: UsageFacts, limits: Limits): Leak | null {
  const { limitKib, proposedLimitKib } = limits
  if (oomKills === 0 && usage.restarts === 0) return null
  const kibPerDay = risePerDay(usage.memory.typical)
  if (kibPerDay === null) return null
  const kibPerHour = kibPerDay / HOURS_PER_DAY
  const now = usage.memory.max.at(-1) ?? 0
  const hoursUntil = (kib: number) => Math.max(0, kib - now) / kibPerHour
  return {
    kibPerHour,
    hoursToKill: hoursUntil(limitKib),
    hoursToKillProposed: proposedLimitKib === null ? null : hoursUntil(proposedLimitKib),
  }
}

/** The slope of a straight line through the days; null: too few days, no clear line, or no clear rise. */
function risePerDay(typical: Float64Array): number | null {
  const days = typical.length
  if (days < DAYS_MIN) return null
  const [meanDay, meanKib] = [(days - 1) / 2, mean(typical)]
  let [cross, ofDays, ofKib] = [0, 0, 0]
  typical.forEach((kib, day) => {
    cross += (day - meanDay) * (kib - meanKib)
    ofDays += (day - meanDay) ** 2
    ofKib += (kib - meanKib) ** 2
  })
  const slope = cross / ofDays
  const fit = ofKib === 0 ? 0 : cross ** 2 / (ofDays * ofKib)
  return fit >= FIT_MIN && slope * (days - 1) >= RISE_MIN * meanKib ? slope : null
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
