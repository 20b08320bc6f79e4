import type { ClusterFacts, ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, noNodePrice, specOf, targetOf } from '../container-finding.ts'
import type { ContainerSpec, Verdict } from '../finding.ts'
import { listSharedSidecars } from '../facts/shared-sidecars.ts'
import { notJudged, runningContainers } from '../facts/judgeable.ts'
import { policyOf } from '../facts/policy.ts'
import type { Rule } from '../rule.ts'
import { sizeChecks } from '../sizing/size-checks.ts'
import { heldUsd, isGuaranteed, savedUsd, sizeContainer } from '../sizing/size-container.ts'
import { sizeEvidence } from '../sizing/size-evidence.ts'
import { sizeRisk } from '../sizing/size-risk.ts'
import { confidenceIn, tellSize } from '../sizing/explain-size.ts'
import { doesNothing } from '../savings/going-workloads.ts'
import { holdsIdleGpu, isAbandoned } from '../facts/idle-workload.ts'

export const containerOverprovisioned: Rule = {
  id: 'container_overprovisioned',
  category: 'cpu_memory',
  title: 'Containers that ask for more than they need',
  shortName: 'Over-provisioned',
  description:
    'What a container asks for is reserved whether it is used or not. The proposal spends what the Vertical Pod Autoscaler would spend on all containers together, where it prevents most shortage; CPU and memory change in one rollout.',
  trigger:
    'CPU or memory requested is more than 15 % above what right-sizing asks for, and lowering saves more than raising the other costs.',
  saving:
    'Price × pods × mean of (the larger of request and use now − the larger of proposed request and use), CPU and memory summed.',
  guards: [
    'Less history or coverage than the policy asks for, an image of today, a crash loop: withheld.',
    'Killed for lack of memory, or above 90 % of the memory limit: nothing is lowered; another rule proposes more memory.',
    'CPU of a container that its limit makes wait in more than 25 % of its periods stays; another rule is about its limit.',
    'CPU of what is scaled by CPU utilisation stays; requests that a VPA or an operator writes stay.',
    'What people set stands for a week and longer: the request is never short for more than 5 % of two weeks nor by more than a tenth of the use (safe: 1 % and 3 %; thrifty: as the budget says).',
    'What keeps data (a StatefulSet, or pods with volumes) and what comes in bursts (p99 twice the p95) is sized as if the dial were on safe; what keeps data is besides never short for more than about a minute a day, unless the dial is on thrifty.',
    'Its risk is not low where the proposal would have been short of CPU for clearly longer than the value of the Vertical Pod Autoscaler, where what keeps data would have been short for more than 0.2 % of two weeks, or where it is a single pod and nobody answers while that is replaced.',
    'A peak of the weeks before (five are kept) that is more than twice anything of the last two counts as well: it comes again.',
    'Pods that do unequal work are withheld; slightly unequal ones get more.',
    'Memory goes down by at most 30 % a step and never below the maximum of 14 days, starts included.',
    'A Java machine is not sized by its use: with plimsoll.dev/jvm-heap memory stays a quarter above the heap, with plimsoll.dev/jvm it stays as it is.',
    'Guaranteed pods stay Guaranteed: limits follow, CPU is at least the p99 of two weeks, whole cores stay whole.',
    'Floors of the policy, of plimsoll.dev/min-cpu and plimsoll.dev/min-memory, and of the LimitRange hold; a request is never above its limit.',
    'Other rules are about sidecars that many workloads share, jobs, and idle workloads.',
  ],
  needs: ['pods', 'prices', 'rightsizing'],
  isAboutMoney: true,
  isRightSizing: true,
  judge: (facts) => {
    const shared = listSharedSidecars(facts)
    return runningContainers(facts)
      .filter(({ container }) => hasRequests(container) && !shared.has(container))
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
  const risk = sizeRisk({ workload, container, usage, recommended })
  const told = tellSize(workload, container, usage, recommended, {
    policy: policyOf(facts.policies, workload.namespace),
    risk,
  })
  return [
    {
      ...aboutContainer(workload, container),
      title: `Lower the requests of container ${container.name} of ${workload.name}`,
      recommendedSpec: recommended,
      change: changeOf(workload, container, recommended),
      estimatedUsdPerMonth: savedUsd(workload, container, usage, recommended),
      costUsdPerMonth: heldUsd(workload, usage, specOf(container), workload.price),
      risk: risk.level,
      confidence: confidenceIn(container, usage),
      checks: sizeChecks({ facts, workload, container, usage, recommended }),
      evidence: sizeEvidence(workload, container, usage, recommended, told),
    },
  ]
}

function changeOf(workload: WorkloadFacts, container: ContainerFacts, recommended: ContainerSpec) {
  const object = targetOf(workload, container.name)
  const change = changeRequests('set_requests', object, specOf(container), recommended)
  if (!isGuaranteed(workload)) return change
  const limits = changeRequests('set_requests', object, specOf(container), recommended, 'limits')
  return {
    ...change,
    summary: `${change.summary} Set its limits to the same, so that its pods stay Guaranteed.`,
    fields: [...change.fields, ...limits.fields],
  }
}
