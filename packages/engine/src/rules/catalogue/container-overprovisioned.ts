import { STEP_DOWN_MAX, PEAK_DAYS } from '../../rightsizing/memory.ts'
import { THROTTLED_SHARE_MAX } from '../facts/throttled.ts'
import { DAILY_BAND } from '../../rightsizing/band.ts'
import { percent } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, noNodePrice, specOf, targetOf, sizeTitle } from '../container-finding.ts'
import type { ContainerSpec, Verdict } from '../finding.ts'
import { listSharedSidecars } from '../facts/shared-sidecars.ts'
import { notJudged, runningContainers } from '../facts/judgeable.ts'
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
  HEAP_FACTOR,
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
    'Requests reserve capacity whether it is used or not. The total of all proposals equals the total of the Vertical Pod Autoscaler; the requests go to the containers where they prevent the most shortage.',
  trigger: `A CPU or memory request is more than ${percent(DAILY_BAND.down)} above the right-sized value, and lowering it saves more than other raises cost.`,
  saving: 'Price × pods × mean of (max(request, usage) − max(proposed request, usage)), for CPU and memory.',
  guards: [
    'Withheld: too little history or coverage for the policy, an image younger than a day, a crash loop.',
    `Nothing is lowered after an OOM kill or above ${percent(LIMIT_SHARE_MAX)} of the memory limit.`,
    `Usage of a throttled container understates its demand: above ${percent(THROTTLED_SHARE_MAX)} throttled periods the CPU request is not lowered.`,
    'An HPA that scales on CPU utilization depends on the CPU request, so the request is not changed. Requests that a VPA or an operator writes are not changed either.',
    `The proposal is short of CPU for at most ${percent(CPU_CARE.balanced.timeMax)} of the time and ${percent(CPU_CARE.balanced.volumeMax)} of the usage (sizing policy safe: ${percent(CPU_CARE.safe.timeMax)} and ${percent(CPU_CARE.safe.volumeMax)}; thrifty: no bound).`,
    `Stateful workloads (StatefulSet or volumes) and bursty ones (p99 at least ${BURST_FACTOR} × p95) are sized with the sizing policy safe. Stateful workloads are short for at most one minute a day, except with the sizing policy thrifty.`,
    'The risk is not low if the proposal is short of CPU for clearly longer than the VPA value, if a stateful workload would often be short, or if the workload has a single pod.',
    `A cut by more than ${percent(DEEP_CUT)} is never of low risk for a StatefulSet, a known database image, a single pod, or a PodDisruptionBudget that allows no disruption.`,
    `A peak in the last five weeks above ${RARE_FACTOR} × the maximum of the last two weeks counts too.`,
    'Workloads with unequal pods are withheld; slightly uneven pods get a higher request.',
    `Memory is lowered by at most ${percent(STEP_DOWN_MAX)} per step, and never below the maximum of ${PEAK_DAYS} days, starts included.`,
    `JVM memory does not follow usage. With plimsoll.dev/jvm-heap the request stays ${percent(HEAP_FACTOR - 1)} above the heap; with plimsoll.dev/jvm it is not changed.`,
    'Guaranteed pods stay Guaranteed: limits are set to the requests, CPU is at least the p99 of two weeks, and whole cores stay whole.',
    'Floors of the policy, of plimsoll.dev/min-cpu and plimsoll.dev/min-memory, and of the LimitRange apply. A request never exceeds its limit.',
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
