import type { ClusterFacts, ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, specOf, targetOf, sizeTitle } from '../container-finding.ts'
import { withFloors } from '../sizing/floors.ts'
import type { Target, Verdict, Withheld } from '../finding.ts'
import { floorsOf } from '../sizing/floors.ts'
import { runningContainers } from '../facts/judgeable.ts'
import { notJudged } from '../sizing/not-judged.ts'
import { policyOf } from '../facts/policy.ts'
import { rolloutCaveats, rolloutReasons, rolloutRisk } from '../sizing/rollout.ts'
import type { Rule } from '../rule.ts'
import { sizeChecks } from '../sizing/size-checks.ts'
import { needOf } from '../sizing/size-container.ts'
import { sizeEvidence } from '../sizing/size-evidence.ts'
import { whyWithheld } from '../sizing/why-withheld.ts'

export const requestsMissing: Rule = {
  id: 'requests_missing',
  category: 'governance',
  title: 'Set missing requests',
  shortName: 'No requests',
  description:
    'The scheduler reserves no capacity for a container without requests, and the kubelet evicts its pod first. Set requests from its usage.',
  trigger: 'A running app container has no CPU request or no memory request.',
  saving: 'None, because the request reserves capacity that is already used.',
  guards: [
    'The proposal is based on usage. Withheld if the history is too short.',
    'Minimum requests apply: policy, LimitRange, plimsoll.dev/min-cpu and plimsoll.dev/min-memory.',
    'A memory request never exceeds the memory limit.',
    'Jobs are skipped.',
  ],
  needs: ['pods', 'rightsizing'],
  isAboutMoney: false,
  inPlan: { role: 'protect', verb: 'Set', noun: ['missing request', 'missing requests'] },
  judge: (facts) =>
    runningContainers(facts)
      .filter(({ container }) => isMissing(container))
      .map(({ workload, container }) => judge(facts, workload, container)),
}

const isMissing = ({ cpuRequestMillicores, memoryRequestKib }: ContainerFacts) =>
  cpuRequestMillicores === null || memoryRequestKib === null

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict {
  const target = targetOf(workload, container.name)
  const { usage } = container
  const reason = notJudged(target, container) ?? notWhole(target, container)
  if (reason || !usage) return reason ?? whyWithheld(target, { kind: 'unknown', reason: 'no_samples' })
  const current = specOf(container)
  const policy = policyOf(facts.policies, workload.namespace)
  const wanted = withFloors(workload, policy, needOf(policy, workload, container, usage))
  const recommended = {
    cpuMillicores: current.cpuMillicores ?? atMost(wanted.cpuMillicores, container.cpuLimitMillicores),
    memoryKib: current.memoryKib ?? atMost(wanted.memoryKib, container.memoryLimitKib),
  }
  const change = changeRequests('set_requests', target, { from: current, to: recommended })
  return {
    ...aboutContainer(workload, container),
    title: sizeTitle(change, workload, container),
    recommendedSpec: recommended,
    change,
    estimatedUsdPerMonth: 0,
    costUsdPerMonth: null,
    risk: rolloutRisk(workload),
    riskReasons: rolloutReasons(workload),
    confidence: 'medium',
    checks: sizeChecks({ facts, workload, container, usage, recommended }),
    evidence: sizeEvidence(workload, container, usage, {
      recommended,
      explanation: {
        confidenceReasons: ['The request follows the usage of the container.'],
        caveats: rolloutCaveats(workload),
        facts: {},
        floors: floorsOf(workload, policy),
        // Usage is paid anyway, so nothing is saved or added.
        money: { prices: workload.price?.rows ?? [], linesOf: () => [] },
      },
    }),
  }
}

/** Both requests are set together or not at all. */
function notWhole(
  target: Target,
  { decision, cpuRequestMillicores, memoryRequestKib }: ContainerFacts,
): Withheld | null {
  if (cpuRequestMillicores === null && decision && decision.cpu.kind !== 'request')
    return whyWithheld(target, decision.cpu)
  if (memoryRequestKib === null && decision && decision.memory.kind !== 'request')
    return whyWithheld(target, decision.memory)
  return null
}

const atMost = (value: number | null, limit: number | null) =>
  value === null || limit === null ? value : Math.min(value, limit)
