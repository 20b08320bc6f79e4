import { STEP_DOWN_MAX, PEAK_DAYS } from '../../rightsizing/memory.ts'
import { THROTTLED_SHARE_MAX } from '../facts/throttled.ts'
import { DAILY_BAND } from '../../rightsizing/band.ts'
import { percent } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, noNodePrice, specOf, targetOf, sizeTitle } from '../container-finding.ts'
import type { ContainerSpec, Verdict } from '../finding.ts'
import { listSharedSidecars } from '../facts/shared-sidecars.ts'
import { HEAP_FACTOR } from '../facts/annotations.ts'
import { runningContainers } from '../facts/judgeable.ts'
import { notJudged } from '../sizing/not-judged.ts'
import { regressionOf } from './change-regressed.ts'
import { policyOf } from '../facts/policy.ts'
import type { Rule } from '../rule.ts'
import { sizeChecks } from '../sizing/size-checks.ts'
import {
  heldUsd,
  isGuaranteed,
  savedUsd,
  sizeContainer,
  CPU_CARE,
  BURST_FACTOR,
  RARE_FACTOR,
} from '../sizing/size-container.ts'
import { DEEP_CUT } from '../sizing/deep-cut.ts'
import { LIMIT_SHARE_MAX } from '../sizing/demand.ts'
import { sizeEvidence } from '../sizing/size-evidence.ts'
import { sizeRisk } from '../sizing/size-risk.ts'
import { confidenceIn, explainSize } from '../sizing/explain-size.ts'
import { doesNothing } from '../savings/going-workloads.ts'
import { holdsIdleGpu, isAbandoned } from '../facts/idle-workload.ts'

export const containerOverprovisioned: Rule = {
  id: 'container_overprovisioned',
  category: 'cpu_memory',
  title: 'Lower requests of over-provisioned containers',
  shortName: 'Over-provisioned',
  description:
    'Requests reserve capacity whether it is used or not. Plimsoll computes the total CPU that the Vertical Pod Autoscaler (VPA) would request. Containers at risk of a CPU shortage get a larger share of this total.',
  trigger: `A CPU or memory request is more than ${percent(DAILY_BAND.down)} above the right-sized value. The change saves money in total, even if it raises the other resource.`,
  saving: 'Price × pods × mean of (max(request, usage) − max(proposed request, usage)), for CPU and memory.',
  guards: [
    'Withheld if history or usage coverage is below the policy, for images younger than a day, and in crash loops.',
    `No request is lowered after an OOM kill, or if memory usage exceeds ${percent(LIMIT_SHARE_MAX)} of the memory limit.`,
    `Usage of a throttled container understates its demand. Above ${percent(THROTTLED_SHARE_MAX)} throttled periods, the CPU request is not lowered.`,
    'An HPA that scales on CPU utilization depends on the CPU request, so the request is not changed. Requests that a VPA or an operator sets are not changed either.',
    `CPU usage exceeds the proposed request for at most ${percent(CPU_CARE.balanced.timeMax)} of the time. The excess is at most ${percent(CPU_CARE.balanced.volumeMax)} of the usage. Sizing policy safe: ${percent(CPU_CARE.safe.timeMax)} and ${percent(CPU_CARE.safe.volumeMax)}. Sizing policy thrifty: no bound.`,
    `The sizing policy safe applies to stateful workloads (StatefulSet or volumes) and bursty ones (p99 at least ${BURST_FACTOR} × p95). Stateful workloads are short of CPU for at most one minute a day, except with the sizing policy thrifty.`,
    'The risk is at least medium if the proposal is short of CPU for clearly longer than the VPA value.',
    'The risk is also at least medium if a stateful workload would often be short of CPU.',
    'A single pod that is unavailable during the rollout has at least medium risk.',
    `Reductions above ${percent(DEEP_CUT)} have at least medium risk for StatefulSets, database images and single pods. The same holds if the PodDisruptionBudget allows no disruption.`,
    `Peaks of the last five weeks are included if they exceed ${RARE_FACTOR} × the maximum of the last two weeks.`,
    'Withheld if the CPU usage of the pods differs strongly. If it differs slightly, the request is higher.',
    `Memory is lowered by at most ${percent(STEP_DOWN_MAX)} per step, and never below the maximum of ${PEAK_DAYS} days, including start-up.`,
    `JVM memory does not follow usage. With plimsoll.dev/jvm-heap the request stays ${percent(HEAP_FACTOR - 1)} above the heap; with plimsoll.dev/jvm it is not changed.`,
    'Guaranteed pods keep their QoS class: limits equal requests. CPU is at least the p99 of two weeks, and integer CPU requests stay integers.',
    'Minimum requests apply: policy, LimitRange, plimsoll.dev/min-cpu and plimsoll.dev/min-memory. A request never exceeds its limit.',
    'Other rules cover shared sidecars, jobs and idle workloads.',
  ],
  needs: ['pods', 'prices', 'rightsizing'],
  isAboutMoney: true,
  inPlan: { role: 'resize', verb: 'Lower', noun: ['request', 'requests'] },
  isRightSizing: true,
  judge: (facts) => {
    const shared = listSharedSidecars(facts)
    return runningContainers(facts)
      .filter(({ container }) => hasRequests(container) && !shared.has(container))
      .filter(({ workload, container }) => !regressionOf(facts, workload, container))
      .flatMap(({ workload, container }) => judge(facts, workload, container))
  },
}

const hasRequests = ({ cpuRequestMillicores, memoryRequestKib }: ContainerFacts) =>
  cpuRequestMillicores !== null || memoryRequestKib !== null

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict[] {
  const target = targetOf(workload, container.name)
  const reason = notJudged(target, container)
  if (reason) return [reason]
  const { usage } = container
  if (!usage) return []
  const { direction, recommended } = sizeContainer(facts, workload, container, usage)
  if (direction !== 'less') return []
  if (workload.price === null) return [noNodePrice(target)]
  if (holdsIdleGpu(facts, workload) || isAbandoned(facts, workload)) return [doesNothing(target)]
  const change = changeOf(workload, container, recommended)
  const risk = sizeRisk({ workload, container, usage, recommended })
  const explanation = explainSize(workload, container, usage, {
    recommended,
    options: {
      policy: policyOf(facts.policies, workload.namespace),
      risk,
    },
  })
  return [
    {
      ...aboutContainer(workload, container),
      title: sizeTitle(change, workload, container),
      recommendedSpec: recommended,
      change,
      estimatedUsdPerMonth: savedUsd(workload, container, usage, recommended),
      costUsdPerMonth: heldUsd(workload, usage, specOf(container), workload.price),
      risk: risk.level,
      riskReasons: risk.inShort,
      confidence: confidenceIn(container, usage),
      checks: sizeChecks({ facts, workload, container, usage, recommended }),
      evidence: sizeEvidence(workload, container, usage, { recommended, explanation }),
    },
  ]
}

function changeOf(workload: WorkloadFacts, container: ContainerFacts, recommended: ContainerSpec) {
  const object = targetOf(workload, container.name)
  const change = changeRequests('set_requests', object, { from: specOf(container), to: recommended })
  if (!isGuaranteed(workload)) return change
  const limits = changeRequests('set_requests', object, { from: specOf(container), to: recommended, field: 'limits' })
  return {
    ...change,
    summary: `${change.summary} Set the limits to the same values, so that the pods stay Guaranteed.`,
    fields: [...change.fields, ...limits.fields],
  }
}
