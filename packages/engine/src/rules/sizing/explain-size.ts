import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { describeMillicores } from '../../units.ts'
import type { ContainerFacts, SizeDecision, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { targetOf } from '../container-finding.ts'
import type { ContainerSpec, Level } from '../finding.ts'
import { floorsOf, floorWords } from './floors.ts'
import { markedHeap } from '../facts/annotations.ts'
import { showUsd } from '../object-finding.ts'
import type { Policy } from '../facts/policy.ts'
import { rolloutCaveats } from './rollout.ts'
import { cpuWithoutData, isGuaranteed, keepsData, podsPaid, savedUsd } from './size-container.ts'
import { STANDING_DAYS, type SizeTold } from './size-evidence.ts'
import type { SizeRisk } from './size-risk.ts'
import { isThrottled } from '../facts/throttled.ts'
import { whyWithheld } from './why-withheld.ts'

const DAYS_OF_HIGH_CONFIDENCE = 14
const COVERAGE_OF_HIGH_CONFIDENCE = 0.95

export function confidenceIn({ decision }: ContainerFacts, { historyDays, coverage }: UsageFacts): Level {
  const isWhole = decision?.cpu.kind === 'request' && decision.memory.kind === 'request' && !wasWorse(decision)
  if (isWhole && historyDays >= DAYS_OF_HIGH_CONFIDENCE && coverage >= COVERAGE_OF_HIGH_CONFIDENCE) return 'high'
  return historyDays >= DAYS_OF_HIGH_CONFIDENCE / 2 ? 'medium' : 'low'
}

/** In this very cluster the way of deciding was short for longer than the value that people know: nobody should be sure of it there. */
const wasWorse = ({ rehearsed }: SizeDecision) => rehearsed.kind === 'known' && rehearsed.ours.time > rehearsed.vpa.time

/** Why this number, what could make it wrong, what else was looked at, and where a risk is told, why it is not low. */
export function tellSize(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
  {
    policy,
    risk,
    rollout = rolloutCaveats(workload),
  }: { policy: Policy; risk?: SizeRisk; rollout?: readonly string[] },
): SizeTold {
  return {
    confidenceReasons: [
      `${usage.historyDays.toFixed(0)} days of its use are known, ${(usage.coverage * 100).toFixed(0)} % of the samples.`,
      ...(risk?.reasons ?? []),
      ...dataReasons(workload, container, usage, recommended, policy),
      ...reasonsOf(container),
    ],
    caveats: [...rollout, ...caveatsOf(workload, container, usage, recommended)],
    facts: { ...factsOf(workload, container, usage), ...floorFacts(workload, policy) },
    floors: floorsOf(workload, policy),
  }
}

/** What nothing is advised below, and who asks for that: it is more than the policy says where a LimitRange or a mark does. */
function floorFacts(workload: WorkloadFacts, policy: Policy) {
  const { cpu, memory } = floorWords(workload, policy)
  return { cpu_floor: cpu, memory_floor: memory }
}

/** What care for data asks for, and what it costs: who could do without it decides on that. */
function dataReasons(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
  policy: Policy,
): string[] {
  const { cpuMillicores } = recommended
  if (!keepsData(workload) || cpuMillicores === null || cpuMillicores === container.cpuRequestMillicores) return []
  const other = cpuWithoutData(policy, workload, container, usage)
  if (other === null || other >= cpuMillicores) return []
  const saved = (spec: ContainerSpec) => savedUsd(workload, container, usage, spec)
  const usd = saved({ ...recommended, cpuMillicores: other }) - saved(recommended)
  return [
    `Because it keeps data, ${describeMillicores(cpuMillicores)} of CPU: with that it is short for about a minute a day at most. Without data it would be ${describeMillicores(other)}, which saves ${showUsd(usd)} a month more.`,
  ]
}

const WORSE_REASON =
  'In this cluster that is longer than with the Vertical Pod Autoscaler, so its confidence is not high: compare both values in the back-test.'

function reasonsOf({ decision }: ContainerFacts): string[] {
  if (decision?.rehearsed.kind !== 'known') return []
  const { rehearsed } = decision
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  return [
    `It was tried on the last two weeks of the whole cluster, with all requests decided anew every ${STANDING_DAYS} days: a container would have had too little CPU for ${percent(rehearsed.ours.time)} of the time on average, or less where floors and care ask for more, and for ${percent(rehearsed.vpa.time)} with the values of the Vertical Pod Autoscaler. In the next week that share of the time may be up to ${rehearsed.range} times as large.`,
    ...(wasWorse(decision) ? [WORSE_REASON] : []),
  ]
}

/** The chart shows seconds and the back-test minutes: both are right, and only together make sense. */
const HOW_COUNTED =
  'Too little CPU is counted by what a pod uses over each minute. The most of an hour, in the chart and among its figures, is its highest moment: that lasts seconds, and is above the request more often.'

function caveatsOf(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
): string[] {
  const { decision } = container
  const target = targetOf(workload, container.name)
  const { cpu, memory } = decision ?? {}
  const changesCpu = recommended.cpuMillicores !== container.cpuRequestMillicores
  return [
    `A load that comes less often than every ${usage.historyDays.toFixed(0)} days has not been seen.`,
    ...(changesCpu ? [HOW_COUNTED] : []),
    ...(cpu?.kind === 'request' && cpu.startUpPeak && changesCpu
      ? ['Starting takes more than twice the CPU: starts become slower.']
      : []),
    ...(isThrottled(container) && !changesCpu ? ['CPU stays as it is: its limit makes it wait.'] : []),
    ...(cpu && cpu.kind !== 'request' ? [`CPU stays as it is. ${whyWithheld(target, cpu).detail}`] : []),
    ...(memory && memory.kind !== 'request' ? [`Memory stays as it is. ${whyWithheld(target, memory).detail}`] : []),
    ...(memory?.kind === 'request' && memory.because === 'step'
      ? ['Memory goes down in steps of 30 %: more may follow.']
      : []),
    ...(markedHeap(workload).kind === 'unknown'
      ? ['Memory stays as it is: a Java machine whose heap is not known.']
      : []),
    ...(workload.containers.some(({ kind }) => kind === 'init')
      ? ['What an init container of its pod asks for stays reserved: below that nothing is saved.']
      : []),
    ...(workload.kind === 'StatefulSet' && (recommended.memoryKib ?? 0) < (container.memoryRequestKib ?? 0)
      ? ['Memory in which files are cached does not count as used: what reads many files may become slower.']
      : []),
    ...(isGuaranteed(workload) ? ['Limits follow the requests: what is above is cut off, not only slowed down.'] : []),
  ]
}

function factsOf(workload: WorkloadFacts, { decision, oomKills }: ContainerFacts, usage: UsageFacts) {
  const { cpu, memory } = decision ?? {}
  return {
    pods: Number(podsPaid(workload, usage).toFixed(2)),
    restarts: usage.restarts,
    oom_kills: oomKills,
    memory_max_kib: Math.round(usage.memoryMaxKib),
    ...(cpu?.kind === 'request'
      ? {
          cpu_mean_millicores: Number((cpu.meanUnits / CPU_UNITS_PER_MILLICORE).toFixed(1)),
          replica_factor: Number(cpu.replicaFactor.toFixed(3)),
        }
      : {}),
    ...(memory?.kind === 'request' ? { memory_decided_by: memory.because } : {}),
  }
}
