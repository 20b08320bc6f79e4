import { WINDOW_DAYS } from '../../rightsizing/clock.ts'
import { STEP_DOWN_MAX } from '../../rightsizing/memory.ts'
import { percent } from '../checks.ts'
import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { describeMillicores } from '../../units.ts'
import type { ContainerFacts, SizeDecision, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { targetOf } from '../container-finding.ts'
import type { ContainerSpec } from '../finding.ts'
import { floorsOf, floorWords } from './floors.ts'
import { annotatedHeap } from '../facts/annotations.ts'
import { showUsd } from '../object-finding.ts'
import type { Policy } from '../facts/policy.ts'
import { rolloutCaveats } from './rollout.ts'
import { cpuWithoutData, isGuaranteed, keepsData, podsPaid, savedUsd } from './size-container.ts'
import { STANDING_DAYS, type SizeExplanation } from './size-evidence.ts'
import type { SizeRisk } from './size-risk.ts'
import { isThrottled } from '../facts/throttled.ts'
import { whyWithheld } from './why-withheld.ts'
import type { Level } from '../../vocabulary/recommendations.ts'

const DAYS_OF_HIGH_CONFIDENCE = 14
const COVERAGE_OF_HIGH_CONFIDENCE = 0.95

export function confidenceIn({ decision }: ContainerFacts, { historyDays, coverage }: UsageFacts): Level {
  const isWhole = decision?.cpu.kind === 'request' && decision.memory.kind === 'request' && !wasWorse(decision)
  if (isWhole && historyDays >= DAYS_OF_HIGH_CONFIDENCE && coverage >= COVERAGE_OF_HIGH_CONFIDENCE) return 'high'
  return historyDays >= DAYS_OF_HIGH_CONFIDENCE / 2 ? 'medium' : 'low'
}

/** In this cluster the method was short for longer than VPA, so the confidence is lower. */
const wasWorse = ({ rehearsed }: SizeDecision) => rehearsed.kind === 'known' && rehearsed.ours.time > rehearsed.vpa.time

/** The reasons for the size, its caveats, further facts, and the reasons for a higher risk. */
export function explainSize(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  {
    recommended,
    options: { policy, risk, rollout = rolloutCaveats(workload) },
  }: { recommended: ContainerSpec; options: { policy: Policy; risk?: SizeRisk; rollout?: readonly string[] } },
): SizeExplanation {
  return {
    confidenceReasons: [
      `${usage.historyDays.toFixed(0)} days of usage, ${(usage.coverage * 100).toFixed(0)} % coverage.`,
      ...(risk?.reasons ?? []),
      ...dataReasons(workload, container, usage, { recommended, policy }),
      ...reasonsOf(container),
    ],
    caveats: [...rollout, ...caveatsOf(workload, container, usage, recommended)],
    facts: { ...factsOf(workload, container, usage), ...floorFacts(workload, policy) },
    floors: floorsOf(workload, policy),
  }
}

/** The floors and their source, if a LimitRange or an annotation exceeds the policy. */
function floorFacts(workload: WorkloadFacts, policy: Policy) {
  const { cpu, memory } = floorWords(workload, policy)
  return { cpu_floor: cpu, memory_floor: memory }
}

/** The larger request of a data store and its cost, so that users can decide. */
function dataReasons(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  { recommended, policy }: { recommended: ContainerSpec; policy: Policy },
): string[] {
  const { cpuMillicores } = recommended
  if (!keepsData(workload) || cpuMillicores === null || cpuMillicores === container.cpuRequestMillicores) return []
  const other = cpuWithoutData(policy, workload, container, usage)
  if (other === null || other >= cpuMillicores) return []
  const saved = (spec: ContainerSpec) => savedUsd(workload, container, usage, spec)
  const usd = saved({ ...recommended, cpuMillicores: other }) - saved(recommended)
  return [
    `The workload is stateful, so the CPU request is ${describeMillicores(cpuMillicores)}. CPU usage exceeds the request for at most about one minute a day. A stateless workload would get ${describeMillicores(other)}, which saves ${showUsd(usd)}/month more.`,
  ]
}

const WORSE_REASON =
  'In this cluster, the shortage is longer than with VPA values, so the confidence is not high. Compare both values in the back-test.'

function reasonsOf({ decision }: ContainerFacts): string[] {
  if (decision?.rehearsed.kind !== 'known') return []
  const { rehearsed } = decision
  const exact = (share: number) => `${(share * 100).toFixed(2)} %`
  return [
    `Back-test of all containers of the cluster over ${WINDOW_DAYS} days, with new requests every ${STANDING_DAYS} days. CPU usage exceeds the request for ${exact(rehearsed.ours.time)} of the time (VPA: ${exact(rehearsed.vpa.time)}). In the next week, the share may be up to ${rehearsed.range} times as high.`,
    ...(wasWorse(decision) ? [WORSE_REASON] : []),
  ]
}

/** The chart shows seconds and the back-test minutes, so the difference needs a note. */
const HOW_COUNTED =
  'CPU shortage is measured per minute. The chart shows hourly maximums, which can last only seconds, so it shows more peaks above the request.'

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
    `Peaks less frequent than every ${usage.historyDays.toFixed(0)} days are not in the data.`,
    ...(changesCpu ? [HOW_COUNTED] : []),
    ...(cpu?.kind === 'request' && cpu.startUpPeak && changesCpu
      ? ['Start-up uses more than twice the proposed CPU request, so it may be slower.']
      : []),
    ...(isThrottled(container) && !changesCpu ? ['The CPU request is not changed: the container is throttled.'] : []),
    ...(cpu && cpu.kind !== 'request' ? [`The CPU request is not changed. ${whyWithheld(target, cpu).detail}`] : []),
    ...(memory && memory.kind !== 'request'
      ? [`The memory request is not changed. ${whyWithheld(target, memory).detail}`]
      : []),
    ...(memory?.kind === 'request' && memory.because === 'step'
      ? [`Memory is lowered by at most ${percent(STEP_DOWN_MAX)} per step. Further steps may follow.`]
      : []),
    ...(annotatedHeap(workload).kind === 'unknown'
      ? ['The memory request is not changed: the JVM heap is unknown.']
      : []),
    ...(workload.containers.some(({ kind }) => kind === 'init')
      ? ['The scheduler reserves the init container request anyway, so requests below that value save nothing.']
      : []),
    ...(workload.kind === 'StatefulSet' && (recommended.memoryKib ?? 0) < (container.memoryRequestKib ?? 0)
      ? ['File cache does not count as usage: workloads that read many files may become slower.']
      : []),
    ...(isGuaranteed(workload)
      ? [
          'The limits are set to the requests. CPU above the limit is throttled; memory above the limit causes an OOM kill.',
        ]
      : []),
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
