import { count } from '../../count.ts'
import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { judged, passed, percent, showKib, unchecked } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import type { Check, ContainerSpec } from '../finding.ts'
import { floorsOf, floorWords } from './floors.ts'
import { markedHeap } from '../facts/annotations.ts'
import { policyOf } from '../facts/policy.ts'
import { care, cpuShortShare, DATA_SHORT_SHARE_MAX, isGuaranteed, RARE_FACTOR } from './size-container.ts'
import { maxMillicores } from './size-evidence.ts'
import { THROTTLED_SHARE_MAX, throttledShare } from '../facts/throttled.ts'

const MINUTES_PER_DAY = 24 * 60

type Question = {
  readonly facts: ClusterFacts
  readonly workload: WorkloadFacts
  readonly container: ContainerFacts
  readonly usage: UsageFacts
  readonly recommended: ContainerSpec
}

/** The guards of a request that goes down, each with what was found. */
export function sizeChecks(question: Question): Check[] {
  return [...usageChecks(question), ...cpuChecks(question), ...memoryChecks(question), ...placeChecks(question)]
}

function usageChecks({ facts, workload, container, usage }: Question): Check[] {
  const { historyDaysMin, coverageMin } = policyOf(facts.policies, workload.namespace)
  const { historyDays, coverage, restarts } = usage
  return [
    judged(
      `At least ${historyDaysMin} days of its use`,
      `${historyDays.toFixed(0)} days`,
      historyDays >= historyDaysMin,
    ),
    judged(`At least ${percent(coverageMin)} of the samples`, percent(coverage), coverage >= coverageMin),
    judged('Not killed for lack of memory in two weeks', count(container.oomKills, 'kill'), container.oomKills === 0),
    passed('Not in a crash loop', `${count(restarts, 'restart')} in two weeks`),
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
      'Not scaled by its use of CPU',
      workload.autoscaler ? `${workload.autoscaler.kind} on other metrics` : 'nothing scales it',
    ),
    passed('Its pods do about the same', `the busiest does ${busiest.toFixed(1)} times the mean`),
    rarePeakCheck(usage, recommended.cpuMillicores ?? 0),
  ]
}

/** What is compared: minutes of these two weeks with the busiest ten minutes of the time before, as far as that is known. */
function rarePeakCheck(usage: UsageFacts, proposed: number): Check {
  const days = usage.historyDays.toFixed(0)
  const check = `A peak of the ${days} days that are known counts where it is more than ${RARE_FACTOR} times the busiest minute of the last two weeks`
  const earlier = usage.earlier.cpuUnits / CPU_UNITS_PER_MILLICORE
  const since = maxMillicores(usage)
  if (earlier === 0) return passed(check, 'nothing is known of the time before')
  const words = `${earlier.toFixed(0)}m for ten minutes before, ${since.toFixed(0)}m in the busiest minute since`
  return earlier > RARE_FACTOR * since
    ? judged(check, `${words}: it counts, ${proposed}m are proposed`, proposed >= Math.floor(earlier))
    : passed(check, proposed < earlier ? `${words}: it does not count, and ${proposed}m are less than it` : words)
}

const shareWords = (share: number) => (isDaily(share) ? 'a minute a day' : `${percent(share)} of two weeks`)

const isDaily = (share: number) => share <= DATA_SHORT_SHARE_MAX

const shortWords = ({ cpu }: UsageFacts, shareMax: number, short: number) =>
  isDaily(shareMax)
    ? `${count(Math.round(short * cpu.minutes), 'minute')} of ${count(Math.round(cpu.minutes / MINUTES_PER_DAY), 'day')} with the proposal`
    : `${(100 * short).toFixed(1)} % with the proposal`

function throttlingChecks({ cpuLimitMillicores, throttling }: ContainerFacts): Check[] {
  if (cpuLimitMillicores === null) return []
  const check = `Not made to wait by its CPU limit in more than ${percent(THROTTLED_SHARE_MAX)} of its periods`
  const share = throttledShare(throttling)
  return [
    share === null ? unchecked(check, 'nobody tells') : judged(check, percent(share), share <= THROTTLED_SHARE_MAX),
  ]
}

function memoryChecks({ workload, container, usage, recommended }: Question): Check[] {
  const { memoryKib } = recommended
  if (memoryKib === null || memoryKib === container.memoryRequestKib) return []
  const heap = markedHeap(workload)
  return [
    judged(
      'Memory above the most of two weeks, starts included',
      `${showKib(usage.memoryMaxKib)} used at most`,
      memoryKib >= usage.memoryMaxKib,
    ),
    passed(
      'Room for the heap of a Java program',
      heap.kind === 'known' ? `heap ${showKib(heap.kib)}` : 'not marked as Java',
    ),
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
    passed('Nobody else writes its requests', 'no VerticalPodAutoscaler and no operator'),
    judged('Not below the floors of policy, marks and LimitRange', `CPU ${words.cpu}, memory ${words.memory}`, isAbove),
    passed('Its class of service stays', isGuaranteed(workload) ? 'Guaranteed: limits follow' : 'it is not Guaranteed'),
  ]
}
