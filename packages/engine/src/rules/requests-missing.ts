import type { ClusterFacts, ContainerFacts, WorkloadFacts } from './cluster-facts.ts'
import { aboutContainer, changeRequests, specOf, targetOf, withFloors } from './container-rule.ts'
import { NO_EVIDENCE, type Verdict } from './finding.ts'
import { policyOf } from './policy.ts'
import type { Rule } from './rule.ts'

export const requestsMissing: Rule = {
  id: 'requests_missing',
  category: 'governance',
  title: 'Containers without requests',
  description:
    'A container that asks for nothing is placed anywhere, is the first to be evicted, and what it uses is not in anybody’s plan. Requests from what it has used make it count.',
  trigger: 'A running app container has no CPU request, no memory request, or neither.',
  saving: '0: setting a request reserves what is used already.',
  guards: [
    'The proposal comes from what the container has used; without enough history it is withheld.',
    'Floors of the policy, of plimsoll.dev/min-cpu and plimsoll.dev/min-memory, and of the LimitRange hold.',
    'A memory request is never above the memory limit.',
    'Jobs are left out: they come and go.',
  ],
  needs: ['pods', 'rightsizing'],
  isAboutMoney: false,
  judge: (facts) =>
    facts.workloads
      .filter(({ kind, replicas }) => replicas > 0 && kind !== 'Job' && kind !== 'CronJob')
      .flatMap((workload) =>
        workload.containers
          .filter((each) => each.kind !== 'init' && isMissing(each))
          .map((container) => judge(facts, workload, container)),
      ),
}

const isMissing = ({ cpuRequestMillicores, memoryRequestKib }: ContainerFacts) =>
  cpuRequestMillicores === null || memoryRequestKib === null

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict {
  const { decision } = container
  if (decision?.kind !== 'size') {
    return {
      kind: 'withheld',
      target: targetOf(workload, container.name),
      reason: 'too_little_history',
      detail: decision?.reason ?? 'Nothing is known about what it uses.',
      unlock: 'It is decided when enough has been measured; min_history_days in the policy says how much is enough.',
    }
  }
  const current = specOf(container)
  const wanted = withFloors(workload, policyOf(facts.policies, workload.namespace), decision)
  const recommended = {
    cpuMillicores: current.cpuMillicores ?? wanted.cpuMillicores,
    memoryKib: current.memoryKib ?? atMost(wanted.memoryKib, container.memoryLimitKib),
  }
  return {
    ...aboutContainer(workload, container),
    title: `Set requests for container ${container.name} of ${workload.name}`,
    recommendedSpec: recommended,
    change: changeRequests('set_requests', targetOf(workload, container.name), current, recommended),
    estimatedUsdPerMonth: 0,
    costUsdPerMonth: null,
    risk: 'low',
    confidence: 'medium',
    evidence: {
      ...(container.usage?.evidence ?? NO_EVIDENCE),
      confidenceReasons: ['The request is what the container has used.'],
      caveats: ['Pods restart when their requests change, unless the cluster resizes in place.'],
    },
  }
}

const atMost = (value: number | null, limit: number | null) =>
  value === null || limit === null ? value : Math.min(value, limit)
