import { WINDOW_DAYS } from '../../rightsizing/clock.ts'
import { PEAK_DAYS } from '../../rightsizing/memory.ts'
import { count } from '../../count.ts'
import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { judged, passed, percent, showKib, unchecked } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import type { Check, ContainerSpec } from '../finding.ts'
import { floorsOf, floorWords } from './floors.ts'
import { annotatedHeap } from '../facts/annotations.ts'
import { policyOf } from '../facts/policy.ts'
import { care, cpuShortShare, DATA_SHORT_SHARE_MAX, isGuaranteed, RARE_FACTOR } from './size-container.ts'
import { maxMillicores } from '../facts/max-millicores.ts'
import { THROTTLED_SHARE_MAX, throttledShare } from '../facts/throttled.ts'

const MINUTES_PER_DAY = 24 * 60

type Question = {
  readonly facts: ClusterFacts
  readonly workload: WorkloadFacts
  readonly container: ContainerFacts
  readonly usage: UsageFacts
  readonly recommended: ContainerSpec
}

/** The guards of a lower request, each with its result. */
export function sizeChecks(question: Question): Check[] {
  return [...usageChecks(question), ...cpuChecks(question), ...memoryChecks(question), ...placeChecks(question)]
}

function usageChecks({ facts, workload, container, usage }: Question): Check[] {
  const { historyDaysMin, coverageMin } = policyOf(facts.policies, workload.namespace)
  const { historyDays, coverage, restarts } = usage
  return [
    judged(`At least ${historyDaysMin} days of usage`, `${historyDays.toFixed(0)} days`, historyDays >= historyDaysMin),
    judged(`At least ${percent(coverageMin)} usage coverage`, percent(coverage), coverage >= coverageMin),
    judged('Not OOM-killed in 14 days', count(container.oomKills, 'OOM kill'), container.oomKills === 0),
    passed('Not in a crash loop', `${count(restarts, 'restart')} in 14 days`),
  ]
}

function cpuChecks({ facts, workload, container, usage, recommended }: Question): Check[] {
  if (recommended.cpuMillicores === container.cpuRequestMillicores) return []
  const careful = care(policyOf(facts.policies, workload.namespace), workload, usage)
  const short = cpuShortShare(recommended.cpuMillicores, usage)
  const busiest = container.decision?.cpu.kind === 'request' ? container.decision.cpu.replicaFactor ** 2 : 1
  return [
    ...(careful.timeMax === null
      ? []
      : [
          judged(
            `Short of CPU for at most ${shareWords(careful.timeMax)}${careful.because}`,
            shortWords(usage, careful.timeMax, short),
            short <= careful.timeMax,
          ),
        ]),
    ...throttlingChecks(container),
    passed(
      'Not autoscaled on CPU',
      workload.autoscaler ? `${workload.autoscaler.kind} on other metrics` : 'no autoscaler',
    ),
    passed('Pods have similar CPU usage', `the busiest uses ${busiest.toFixed(1)} × the mean`),
    rarePeakCheck(usage, recommended.cpuMillicores ?? 0),
  ]
}

/** Compares the minutes of these two weeks with the busiest ten minutes before, as far as known. */
function rarePeakCheck(usage: UsageFacts, proposed: number): Check {
  const days = usage.historyDays.toFixed(0)
  const check = `Rare peaks before the last ${WINDOW_DAYS} days (${days} days of data)`
  const earlier = usage.earlier.cpuUnits / CPU_UNITS_PER_MILLICORE
  const since = maxMillicores(usage)
  if (earlier === 0) return passed(check, 'no earlier data')
  // Upper edges of histogram buckets: the exact maximum of the window in the evidence is lower.
  const words = `earlier peak at most ${earlier.toFixed(0)}m, last ${WINDOW_DAYS} days at most ${since.toFixed(0)}m`
  return earlier > RARE_FACTOR * since
    ? judged(check, `${words}: included; ${proposed}m proposed`, proposed >= Math.floor(earlier))
    : passed(check, proposed < earlier ? `${words}: not included` : words)
}

const shareWords = (share: number) => (isDaily(share) ? '1 minute per day' : `${percent(share)} of 14 days`)

const isDaily = (share: number) => share <= DATA_SHORT_SHARE_MAX

const shortWords = ({ cpu }: UsageFacts, shareMax: number, short: number) =>
  isDaily(shareMax)
    ? `${count(Math.round(short * cpu.minutes), 'minute')} of ${count(Math.round(cpu.minutes / MINUTES_PER_DAY), 'day')} with the proposal`
    : `${(100 * short).toFixed(1)} % with the proposal`

function throttlingChecks({ cpuLimitMillicores, throttling }: ContainerFacts): Check[] {
  if (cpuLimitMillicores === null) return []
  const check = `Throttled in at most ${percent(THROTTLED_SHARE_MAX)} of its periods`
  const share = throttledShare(throttling)
  return [
    share === null ? unchecked(check, 'not reported') : judged(check, percent(share), share <= THROTTLED_SHARE_MAX),
  ]
}

function memoryChecks({ workload, container, usage, recommended }: Question): Check[] {
  const { memoryKib } = recommended
  if (memoryKib === null || memoryKib === container.memoryRequestKib) return []
  const heap = annotatedHeap(workload)
  return [
    judged(
      `Memory request above the maximum in ${PEAK_DAYS} days, including start-up`,
      `maximum ${showKib(usage.memoryMaxKib)}`,
      memoryKib >= usage.memoryMaxKib,
    ),
    passed('JVM heap', heap.kind === 'known' ? `${showKib(heap.kib)}, below the proposal` : 'no annotation'),
  ]
}

function placeChecks({ facts, workload, container, recommended }: Question): Check[] {
  const policy = policyOf(facts.policies, workload.namespace)
  const floors = floorsOf(workload, policy)
  const words = floorWords(workload, policy)
  const isLowered = (name: keyof ContainerSpec, current: number | null) => (recommended[name] ?? 0) < (current ?? 0)
  const isAbove =
    (!isLowered('cpuMillicores', container.cpuRequestMillicores) ||
      (recommended.cpuMillicores ?? 0) >= floors.cpuMillicores) &&
    (!isLowered('memoryKib', container.memoryRequestKib) || (recommended.memoryKib ?? 0) >= floors.memoryKib)
  return [
    passed('No other controller manages the requests', 'no VPA and no operator'),
    judged(
      'Not below the minimum request (policy, annotations, LimitRange)',
      `CPU ${words.cpu}, memory ${words.memory}`,
      isAbove,
    ),
    passed('QoS class', isGuaranteed(workload) ? 'stays Guaranteed: limits are set to the requests' : 'not Guaranteed'),
  ]
}
