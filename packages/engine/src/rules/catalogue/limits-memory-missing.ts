import { SECONDS_PER_DAY } from '../../time.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { passed, percent, showKib } from '../checks.ts'
import { aboutContainer, changeRequests, specOf, targetOf, containerLabel } from '../container-finding.ts'
import type { Verdict } from '../finding.ts'
import { policyOf } from '../facts/policy.ts'
import { rolloutCaveats } from '../sizing/rollout.ts'
import type { Rule } from '../rule.ts'
import { usageEvidence } from '../sizing/size-evidence.ts'
import { whyWithheld } from '../sizing/why-withheld.ts'

const ABOVE_MAX = 1.3
const KIB_PER_MIB = 1024

export const limitsMemoryMissing: Rule = {
  id: 'limits_memory_missing',
  category: 'reliability',
  title: 'Set missing memory limits',
  shortName: 'No memory limit',
  description:
    'Without a limit, a memory leak takes memory from other pods until the kernel kills one of them. With a limit, only the leaking container is killed.',
  trigger: 'A running app container has a memory request and no memory limit.',
  saving: 'None, because a limit reserves nothing.',
  guards: [
    `The limit is at least ${ABOVE_MAX} × the maximum usage, and not below the request.`,
    'Withheld if history or usage coverage is too low, or after an OOM kill.',
  ],
  needs: ['pods', 'usage'],
  isAboutMoney: false,
  inPlan: { role: 'resize', verb: 'Set', noun: ['memory limit', 'memory limits'] },
  judge: (facts) =>
    facts.workloads
      .filter(({ replicas }) => replicas > 0)
      .flatMap((workload) =>
        workload.containers
          .filter((each) => each.kind === 'app' && each.memoryLimitKib === null && each.memoryRequestKib !== null)
          .map((container) => judge(facts, workload, container)),
      ),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict {
  const target = targetOf(workload, container.name)
  const { usage } = container
  const policy = policyOf(facts.policies, workload.namespace)
  if (!usage || usage.historyDays < policy.historyDaysMin) {
    return whyWithheld(
      target,
      usage
        ? { kind: 'unknown', reason: 'short_history', days: usage.historyDays, daysMin: policy.historyDaysMin }
        : { kind: 'unknown', reason: 'no_samples' },
    )
  }
  if (usage.coverage < policy.coverageMin || container.oomKills > 0) {
    return {
      kind: 'withheld',
      target,
      reason: 'low_coverage',
      detail:
        container.oomKills > 0
          ? 'The container was OOM-killed, so its maximum usage understates its demand.'
          : `Usage coverage is ${percent(usage.coverage)}; ${percent(policy.coverageMin)} is required.`,
      unlock: 'Wait for days with full usage coverage and without an OOM kill.',
    }
  }
  const limitKib =
    Math.ceil(Math.max(usage.memoryMaxKib * ABOVE_MAX, container.memoryRequestKib ?? 0) / KIB_PER_MIB) * KIB_PER_MIB
  const isFromRequest = (container.memoryRequestKib ?? 0) > usage.memoryMaxKib * ABOVE_MAX
  const why = isFromRequest
    ? `The limit is the request, which exceeds ${ABOVE_MAX} × the maximum usage`
    : `The limit is ${ABOVE_MAX} × the maximum usage`
  const none = { cpuMillicores: null, memoryKib: null }
  return {
    ...aboutContainer(workload, container),
    title: `Set a memory limit of ${showKib(limitKib)} for ${containerLabel(workload, container)}`,
    recommendedSpec: specOf(container),
    change: changeRequests('set_limits', target, { from: none, to: { ...none, memoryKib: limitKib }, field: 'limits' }),
    estimatedUsdPerMonth: 0,
    costUsdPerMonth: null,
    risk: 'medium',
    riskReasons: ['A peak above the new limit causes an OOM kill'],
    confidence: 'medium',
    checks: [
      passed(`At least ${policy.historyDaysMin} days of data`, `${usage.historyDays.toFixed(0)} days`),
      passed(`At least ${percent(policy.coverageMin)} usage coverage`, percent(usage.coverage)),
      passed('Not OOM-killed', 'no OOM kill in 14 days'),
      passed(why, `${showKib(usage.memoryMaxKib)} → ${showKib(limitKib)}`),
    ],
    evidence: {
      ...usageEvidence(usage),
      confidenceReasons: [`${why} in the window.`],
      caveats: [
        `Peaks less frequent than every ${daysSeen(usage).toFixed(0)} days are not in the data.`,
        ...rolloutCaveats(workload),
      ],
      facts: { memory_max_kib: usage.memoryMaxKib },
    },
  }
}

/** The highest usage covers the window, even if the history is longer. */
const daysSeen = ({ window, historyDays }: UsageFacts) =>
  Math.min(historyDays, (window.to - window.from) / SECONDS_PER_DAY)
