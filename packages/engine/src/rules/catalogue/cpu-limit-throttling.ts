import { count } from '../../count.ts'
import { describeMillicores } from '../../units.ts'
import { passed, percent, unchecked } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, specOf, targetOf } from '../container-finding.ts'
import type { Change, Check, ContainerSpec, Verdict, Withheld } from '../finding.ts'
import { notJudged, runningContainers } from '../facts/judgeable.ts'
import { rolloutCaveats, rolloutRisk } from '../sizing/rollout.ts'
import type { Rule } from '../rule.ts'
import { heldUsd, isGuaranteed, savedUsd } from '../sizing/size-container.ts'
import { sizeLines, usageEvidence } from '../sizing/size-evidence.ts'
import { confidenceIn } from '../sizing/explain-size.ts'
import { isThrottled, THROTTLED_SHARE_MAX, throttledShare } from '../facts/throttled.ts'

/** What a container would use without its limit is not known: it is given room to show it. */
const RAISE_FACTOR = 2

export const cpuLimitThrottling: Rule = {
  id: 'cpu_limit_throttling',
  category: 'reliability',
  title: 'Containers that their CPU limit slows down',
  shortName: 'Throttled',
  description:
    'A container that has used up its CPU limit waits for the next period, a tenth of a second, also where its node has nothing else to do. What it then answers comes late, and what it used says less than what it needs.',
  trigger:
    'With its present limit the container had to wait in more than 25 % of the periods of the last two weeks in which the limit was enforced.',
  saving: '0: a limit reserves nothing. Where pods are Guaranteed, minus what the larger requests cost.',
  guards: [
    'The limit is doubled, and only where a pod of it then fits on the largest node that its pods may run on, and these nodes have as much CPU that nobody asks for: else withheld.',
    'Which nodes these are is said by taints, node selectors, required node affinity and the zones of volumes.',
    'Only CPU changes: memory is never lowered in the same change, and requests stay.',
    'Guaranteed pods stay Guaranteed: the CPU request follows the limit.',
    'Hours before its requests or limits last changed, and less than an hour of being busy, do not count.',
    'Without a source that tells, with too little history, in a crash loop, or where somebody else writes its requests, nothing is said.',
  ],
  needs: ['pods', 'rightsizing', 'throttling', 'nodes'],
  isAboutMoney: false,
  judge: (facts) => runningContainers(facts).flatMap(({ workload, container }) => judge(facts, workload, container)),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict[] {
  const { usage, cpuLimitMillicores } = container
  if (!usage || !cpuLimitMillicores || !isThrottled(container)) return []
  // The rule for over-provisioned containers reports why a size is withheld.
  if (notJudged(targetOf(workload, container.name), container)) return []
  const limit = { from: cpuLimitMillicores, to: RAISE_FACTOR * cpuLimitMillicores }
  return [noRoom(facts, workload, container, limit) ?? found(workload, container, usage, limit)]
}

type LimitChange = { readonly from: number; readonly to: number }

function found(workload: WorkloadFacts, container: ContainerFacts, usage: UsageFacts, limit: LimitChange): Verdict {
  const share = throttledShare(container.throttling) ?? 0
  const current = specOf(container)
  const recommended = isGuaranteed(workload) ? { ...current, cpuMillicores: limit.to } : current
  return {
    ...aboutContainer(workload, container),
    title: `Raise the CPU limit of container ${container.name} of ${workload.name}`,
    recommendedSpec: recommended,
    change: changeOf(workload, container, limit, recommended),
    estimatedUsdPerMonth: savedUsd(workload, container, usage, recommended),
    costUsdPerMonth: workload.price === null ? null : heldUsd(workload, usage, current, workload.price),
    risk: rolloutRisk(workload),
    confidence: confidenceIn(container, usage),
    checks: checksOf(workload, limit, share),
    evidence: {
      ...usageEvidence(usage),
      prices: workload.price?.rows ?? [],
      get savingLines() {
        return sizeLines(workload, container, usage, recommended)
      },
      confidenceReasons: [`It had to wait in ${percent(share)} of the periods in which its limit was enforced.`],
      caveats: caveatsOf(workload, limit),
      facts: {
        throttled_percent: Math.round(share * 100),
        cpu_periods: container.throttling?.periods ?? 0,
        cpu_limit_millicores: limit.from,
      },
    },
  }
}

function changeOf(
  workload: WorkloadFacts,
  container: ContainerFacts,
  limit: LimitChange,
  recommended: ContainerSpec,
): Change {
  const object = targetOf(workload, container.name)
  const memoryKib = container.memoryLimitKib
  const limits = (cpuMillicores: number): ContainerSpec => ({ cpuMillicores, memoryKib })
  const raised = changeRequests('set_limits', object, limits(limit.from), limits(limit.to), 'limits')
  if (!isGuaranteed(workload)) return raised
  const requests = changeRequests('set_limits', object, specOf(container), recommended)
  return {
    ...raised,
    summary: `${raised.summary} Set its CPU request to the same, so that its pods stay Guaranteed.`,
    fields: [...raised.fields, ...requests.fields],
  }
}

/** Where all CPU is asked for, a larger limit only moves the waiting to somebody else. */
function noRoom(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  limit: LimitChange,
): Withheld | null {
  const { room } = workload
  const largest = room?.cpuMillicoresMax ?? facts.largestNode?.cpuMillicores ?? Infinity
  const detail =
    podMillicores(workload, container, limit) > largest
      ? 'Its limit would be more than any node has that its pods may run on.'
      : addedMillicores(workload, limit) > (room?.cpuMillicoresFree ?? Infinity)
        ? 'The nodes that its pods may run on have too little CPU left that nobody asks for.'
        : null
  if (detail === null) return null
  return {
    kind: 'withheld',
    target: targetOf(workload, container.name),
    reason: 'no_room',
    detail,
    unlock: 'Add nodes or larger ones that admit its pods, or spread its work over more pods.',
  }
}

/** What one pod asks for, with this container at its new limit. */
const podMillicores = ({ containers }: WorkloadFacts, container: ContainerFacts, { to }: LimitChange) =>
  containers
    .filter((each) => each !== container && each.kind !== 'init')
    .reduce((sum, { cpuRequestMillicores }) => sum + (cpuRequestMillicores ?? 0), to)

const addedMillicores = ({ replicas }: WorkloadFacts, { from, to }: LimitChange) => replicas * (to - from)

function checksOf(workload: WorkloadFacts, limit: LimitChange, share: number): Check[] {
  const hasRoom = 'The nodes that its pods may run on have CPU that nobody asks for'
  const free = workload.room?.cpuMillicoresFree ?? null
  const added = `${count(workload.replicas, 'pod')} may use ${describeMillicores(addedMillicores(workload, limit))} more`
  return [
    passed(`Throttled in more than ${percent(THROTTLED_SHARE_MAX)} of its periods`, percent(share)),
    free === null ? unchecked(hasRoom, added) : passed(hasRoom, `${describeMillicores(free)}, and ${added}`),
    passed('Memory stays as it is', 'only CPU changes'),
    passed('Nobody else writes its requests', 'no VerticalPodAutoscaler and no operator'),
  ]
}

const caveatsOf = (workload: WorkloadFacts, { from }: LimitChange) => [
  `How much it would use without its limit of ${describeMillicores(from)} is not known: look again after a day, or drop the limit where its neighbours can bear that.`,
  ...rolloutCaveats(workload),
  ...(workload.autoscaler?.cpuTargetPercent == null
    ? []
    : ['It is scaled by its use of CPU: more use may mean more pods.']),
]
