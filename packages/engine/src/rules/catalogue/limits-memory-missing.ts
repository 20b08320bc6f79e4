import { SECONDS_PER_DAY } from '../../time.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { passed, percent, showKib } from '../checks.ts'
import { aboutContainer, changeRequests, specOf, targetOf } from '../container-finding.ts'
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
  title: 'Containers without a memory limit',
  shortName: 'No memory limit',
  description:
    'Without a limit, a leak in one container takes the memory of its neighbours, and the node decides who dies. A limit well above what was ever used keeps the damage where it arises.',
  trigger: 'A running app container has a memory request and no memory limit.',
  saving: '0: a limit reserves nothing.',
  guards: [
    'The limit is at least 1.3 times the most that was used, and not below the request.',
    'With less history or coverage than the policy asks for, or after an out-of-memory kill, it is withheld.',
  ],
  needs: ['pods', 'usage'],
  isAboutMoney: false,
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
          ? 'It was killed for lack of memory: the most it used is not the most it wants.'
          : `${Math.round(usage.coverage * 100)} % of the expected samples are there, ${Math.round(policy.coverageMin * 100)} % are needed.`,
      unlock: 'It is decided when the last days are complete and without such a kill.',
    }
  }
  const limitKib =
    Math.ceil(Math.max(usage.memoryMaxKib * ABOVE_MAX, container.memoryRequestKib ?? 0) / KIB_PER_MIB) * KIB_PER_MIB
  const isAsked = (container.memoryRequestKib ?? 0) > usage.memoryMaxKib * ABOVE_MAX
  const why = isAsked
    ? `The limit is the request, which is more than ${ABOVE_MAX} times the most that was used`
    : `The limit is ${ABOVE_MAX} times the most that was used`
  const none = { cpuMillicores: null, memoryKib: null }
  return {
    ...aboutContainer(workload, container),
    title: `Set a memory limit for container ${container.name} of ${workload.name}`,
    recommendedSpec: specOf(container),
    change: changeRequests('set_limits', target, none, { ...none, memoryKib: limitKib }, 'limits'),
    estimatedUsdPerMonth: 0,
    costUsdPerMonth: null,
    risk: 'medium',
    confidence: 'medium',
    checks: [
      passed(`At least ${policy.historyDaysMin} days are known`, `${usage.historyDays.toFixed(0)} days`),
      passed(`At least ${percent(policy.coverageMin)} of the samples are there`, percent(usage.coverage)),
      passed('It was not killed for lack of memory', 'no kill in two weeks'),
      passed(why, `${showKib(usage.memoryMaxKib)} → ${showKib(limitKib)}`),
    ],
    evidence: {
      ...usageEvidence(usage),
      confidenceReasons: [`${why} in the window.`],
      caveats: [
        `A peak that comes less often than every ${daysSeen(usage).toFixed(0)} days has not been seen.`,
        ...rolloutCaveats(workload),
      ],
      facts: { memory_max_kib: usage.memoryMaxKib },
    },
  }
}

/** The most that was used is that of the window, however much longer is known. */
const daysSeen = ({ window, historyDays }: UsageFacts) =>
  Math.min(historyDays, (window.to - window.from) / SECONDS_PER_DAY)
