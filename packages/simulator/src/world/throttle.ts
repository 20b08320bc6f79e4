import type { ContainerEvent } from '@plimsoll/contract'
import { secondsRunIn } from './run-clock.ts'
import type { SimPod, State } from './state.ts'
import { useOf } from './usage.ts'

/** The interval of the agent, and the period length of Linux. */
const EVERY_MINUTES = 10
const PERIODS_PER_SECOND = 10

/** Sources with throttling data; metrics-server has none. */
const SOURCES_WITH_THROTTLING: readonly (string | undefined)[] = [undefined, 'kubelet', 'prometheus']

/** Throttling of containers since the last sample, if this minute has a sample. */
export function throttlingIn(state: State, minute: number, loadOf: (pod: SimPod) => number): ContainerEvent[] {
  if (minute % EVERY_MINUTES !== 0 || !SOURCES_WITH_THROTTLING.includes(state.scenario.usageSource)) return []
  return [...state.pods.values()].flatMap((pod) => throttlingOf(pod, minute, loadOf))
}

function throttlingOf(pod: SimPod, minute: number, loadOf: (pod: SimPod) => number): ContainerEvent[] {
  return pod.template.shape.containers.flatMap(({ kind, cpu_limit: limit }, container) => {
    const clock = container === pod.workload.main ? pod.mainClock : pod.clock
    if (limit === undefined || kind === 'init' || clock.since < 0 || secondsRunIn(clock, minute) < 60) return []
    const age = (minute + 1) * 60 - clock.since
    const { cpuMillicores, cpuPeakFactor } = useOf(pod, container, loadOf(pod), minute, age)
    const periods = PERIODS_PER_SECOND * Math.min(age, EVERY_MINUTES * 60)
    const throttledPeriods = Math.round(periods * shareAbove(limit, cpuMillicores, cpuPeakFactor))
    const throttling = { periods, throttledPeriods }
    return [{ podRef: pod.id, container, at: minute * 60, oomKills: 0, restarts: 0, throttling }]
  })
}

/** The demand is uniformly distributed around its mean. */
function shareAbove(limit: number, mean: number, peakFactor: number): number {
  const half = mean * peakFactor
  if (half === 0) return mean > limit ? 1 : 0
  return Math.min(1, Math.max(0, (mean + half - limit) / (2 * half)))
}
