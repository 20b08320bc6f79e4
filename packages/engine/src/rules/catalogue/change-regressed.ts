import { dayText } from '../../day-text.ts'
import { passed } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, RegressedChange, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, containerLabel, sizeTitle, specOf, targetOf } from '../container-finding.ts'
import { targetKey, type Change, type ContainerSpec, type Verdict } from '../finding.ts'
import type { Rule } from '../rule.ts'
import { heldUsd, isGuaranteed, savedUsd } from '../sizing/size-container.ts'
import { rolloutCaveats, rolloutReasons, rolloutRisk } from '../sizing/rollout.ts'
import { sizeLines, usageEvidence } from '../sizing/size-evidence.ts'
import { NO_EVIDENCE } from '../finding.ts'

export const changeRegressed: Rule = {
  id: 'change_regressed',
  category: 'reliability',
  title: 'Restore requests after a regression',
  shortName: 'Regressed change',
  description:
    'After an applied change, Plimsoll compares OOM kills, restarts and throttling with the seven days before. If they rise, Plimsoll proposes the old requests.',
  trigger: 'A change of requests was observed, and within seven days OOM kills, restarts or throttling rose.',
  saving: 'Negative: the cost of the old requests.',
  guards: [
    'A single OOM kill or restart is ignored, and so is throttling without earlier data.',
    'Only resources below their old request are restored. A higher request stays.',
    'Other rules do not change the requests of the container until they are restored.',
  ],
  needs: ['pods'],
  isAboutMoney: false,
  failure: { kind: 'regressed' },
  inPlan: { role: 'protect', verb: 'Restore', noun: ['regressed request', 'regressed requests'] },
  judge: (facts) =>
    facts.workloads.flatMap((workload) =>
      workload.containers.flatMap((container) => {
        const regressed = regressionOf(facts, workload, container)
        return regressed ? judge(workload, container, regressed) : []
      }),
    ),
}

/** The regressed change of a container whose requests are still below the old ones. */
export function regressionOf(
  { regressed = [] }: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
): RegressedChange | undefined {
  const key = targetKey(targetOf(workload, container.name))
  return regressed.find((each) => targetKey(each.target) === key && isBelow(specOf(container), each.before))
}

const isBelow = (live: ContainerSpec, before: ContainerSpec) =>
  (['cpuMillicores', 'memoryKib'] as const).some((name) => (live[name] ?? 0) < (before[name] ?? 0))

function judge(workload: WorkloadFacts, container: ContainerFacts, regressed: RegressedChange): Verdict[] {
  const { usage } = container
  const recommended = restored(specOf(container), regressed.before)
  const change = changeOf(workload, container, recommended)
  const found = `${regressed.what} Applied on ${dayText(regressed.appliedAt)}.`
  return [
    {
      ...aboutContainer(workload, container),
      title: `${sizeTitle(change, workload, container)} (restore after a regression)`,
      recommendedSpec: recommended,
      change,
      estimatedUsdPerMonth: usage ? savedUsd(workload, container, usage, recommended) : 0,
      costUsdPerMonth: usage && workload.price ? heldUsd(workload, usage, specOf(container), workload.price) : null,
      risk: rolloutRisk(workload),
      riskReasons: rolloutReasons(workload),
      confidence: 'high',
      isUrgent: true,
      checks: [passed('Failures rose within seven days of the change', found)],
      evidence: {
        ...(usage ? usageEvidence(usage) : NO_EVIDENCE),
        prices: workload.price?.rows ?? [],
        get savingLines() {
          return usage ? sizeLines(workload, container, usage, recommended) : []
        },
        confidenceReasons: [found],
        caveats: [
          `Another change at the same time may have caused the failures of ${containerLabel(workload, container)}.`,
          ...rolloutCaveats(workload),
        ],
      },
    },
  ]
}

/** The old values, without lowering anything. */
const restored = (live: ContainerSpec, before: ContainerSpec): ContainerSpec => ({
  cpuMillicores: larger(live.cpuMillicores, before.cpuMillicores),
  memoryKib: larger(live.memoryKib, before.memoryKib),
})

const larger = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b))

function changeOf(workload: WorkloadFacts, container: ContainerFacts, recommended: ContainerSpec): Change {
  const object = targetOf(workload, container.name)
  const change = changeRequests('set_requests', object, { from: specOf(container), to: recommended })
  if (!isGuaranteed(workload)) return change
  const limits = changeRequests('set_requests', object, { from: specOf(container), to: recommended, field: 'limits' })
  return { ...change, summary: `${change.summary} ${limits.summary}`, fields: [...change.fields, ...limits.fields] }
}
