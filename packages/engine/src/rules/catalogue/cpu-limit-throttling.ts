import { count } from '../../count.ts'
import { describeMillicores } from '../../units.ts'
import { passed, percent, unchecked } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, specOf, targetOf, containerLabel } from '../container-finding.ts'
import type { Change, Check, ContainerSpec, Verdict, Withheld } from '../finding.ts'
import { runningContainers } from '../facts/judgeable.ts'
import { notJudged } from '../sizing/not-judged.ts'
import { rolloutCaveats, rolloutReasons, rolloutRisk } from '../sizing/rollout.ts'
import type { Rule } from '../rule.ts'
import { heldUsd, isGuaranteed, savedUsd } from '../sizing/size-container.ts'
import { demandOf, limitsOf } from '../sizing/demand.ts'
import { sizeLines, usageEvidence } from '../sizing/size-evidence.ts'
import { confidenceIn } from '../sizing/explain-size.ts'
import { isThrottled, THROTTLED_SHARE_MAX, throttledShare } from '../facts/throttled.ts'

/** The demand without the limit is unknown: a doubled limit shows it. */
const RAISE_FACTOR = 2

export const cpuLimitThrottling: Rule = {
  id: 'cpu_limit_throttling',
  category: 'reliability',
  title: 'Raise CPU limits that throttle containers',
  shortName: 'Throttled',
  description:
    'A container at its CPU limit is throttled until the next period of 100 ms, even on an idle node. Latency rises, and measured usage understates demand.',
  trigger: `With its current limit, the container was throttled in more than ${percent(THROTTLED_SHARE_MAX)} of the CPU periods of two weeks.`,
  saving: 'None, because a limit reserves nothing. Negative for Guaranteed pods: the cost of the larger requests.',
  guards: [
    `The limit increases by a factor of ${RAISE_FACTOR}. Withheld if the pod does not fit on its largest eligible node, or if unallocated CPU is too low.`,
    'Eligible nodes follow from taints, node selectors, required node affinity and volume zones.',
    'Only the CPU limit changes; memory and requests stay unchanged.',
    'Guaranteed pods stay Guaranteed: the CPU request follows the limit.',
    'Hours before the last change of requests or limits are ignored. At least one hour of usage data is required.',
    'Skipped without a throttling source, with too little history, in a crash loop, or if another controller manages the requests.',
  ],
  needs: ['pods', 'rightsizing', 'throttling', 'nodes'],
  isAboutMoney: false,
  inPlan: { role: 'protect', verb: 'Raise', noun: ['CPU limit', 'CPU limits'] },
  failure: { kind: 'throttled' },
  judge: (facts) => runningContainers(facts).flatMap(({ workload, container }) => judge(facts, workload, container)),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict[] {
  const { usage, cpuLimitMillicores } = container
  if (!usage || !cpuLimitMillicores || !isThrottled(container)) return []
  // The rule for over-provisioned containers reports why a size is withheld.
  if (notJudged(targetOf(workload, container.name), container)) return []
  const limit = { from: cpuLimitMillicores, to: RAISE_FACTOR * cpuLimitMillicores }
  return [exceedsCapacity(facts, workload, container, limit) ?? found(workload, container, usage, limit)]
}

type LimitChange = { readonly from: number; readonly to: number }

function found(workload: WorkloadFacts, container: ContainerFacts, usage: UsageFacts, limit: LimitChange): Verdict {
  const share = throttledShare(container.throttling) ?? 0
  const current = specOf(container)
  const recommended = isGuaranteed(workload) ? { ...current, cpuMillicores: limit.to } : current
  return {
    ...aboutContainer(workload, container),
    title: `Raise CPU limit of ${containerLabel(workload, container)} from ${describeMillicores(limit.from)} to ${describeMillicores(limit.to)}`,
    recommendedSpec: recommended,
    change: changeOf(workload, container, limit, recommended),
    estimatedUsdPerMonth: savedUsd(workload, container, usage, recommended),
    costUsdPerMonth: workload.price === null ? null : heldUsd(workload, usage, current, workload.price),
    risk: rolloutRisk(workload),
    riskReasons: rolloutReasons(workload),
    confidence: confidenceIn(container, usage),
    checks: checksOf(workload, limit, share),
    evidence: {
      ...usageEvidence(usage),
      demand: demandOf(container, usage, { ...limitsOf(container), cpuMillicores: limit.to }),
      prices: workload.price?.rows ?? [],
      get savingLines() {
        return sizeLines(workload, container, usage, recommended)
      },
      confidenceReasons: [`The container was throttled in ${percent(share)} of its periods.`],
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
  const raised = changeRequests('set_limits', object, {
    from: limits(limit.from),
    to: limits(limit.to),
    field: 'limits',
  })
  if (!isGuaranteed(workload)) return raised
  const requests = changeRequests('set_limits', object, { from: specOf(container), to: recommended })
  return {
    ...raised,
    summary: `${raised.summary} Set the CPU request to the same value, so that the pods stay Guaranteed.`,
    fields: [...raised.fields, ...requests.fields],
  }
}

/** If all CPU is requested, a larger limit only moves the throttling to other containers. */
function exceedsCapacity(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  limit: LimitChange,
): Withheld | null {
  const { admittingCapacity } = workload
  const largest = admittingCapacity?.cpuMillicoresMax ?? facts.largestNode?.cpuMillicores ?? Infinity
  const detail =
    podMillicores(workload, container, limit) > largest
      ? 'With the new limit as request, the pod exceeds every eligible node.'
      : addedMillicores(workload, limit) > (admittingCapacity?.cpuMillicoresFree ?? Infinity)
        ? 'The eligible nodes have too little unallocated CPU.'
        : null
  if (detail === null) return null
  return {
    kind: 'withheld',
    target: targetOf(workload, container.name),
    reason: 'no_room',
    detail,
    unlock: 'Add more or larger eligible nodes, or add replicas.',
  }
}

/** The request of one pod, with this container at its new limit. */
const podMillicores = ({ containers }: WorkloadFacts, container: ContainerFacts, { to }: LimitChange) =>
  containers
    .filter((each) => each !== container && each.kind !== 'init')
    .reduce((sum, { cpuRequestMillicores }) => sum + (cpuRequestMillicores ?? 0), to)

const addedMillicores = ({ replicas }: WorkloadFacts, { from, to }: LimitChange) => replicas * (to - from)

function checksOf(workload: WorkloadFacts, limit: LimitChange, share: number): Check[] {
  const unallocated = 'Unallocated CPU of the eligible nodes'
  const free = workload.admittingCapacity?.cpuMillicoresFree ?? null
  const added = `${count(workload.replicas, 'pod')} may use ${describeMillicores(addedMillicores(workload, limit))} more`
  return [
    passed(`Throttled in more than ${percent(THROTTLED_SHARE_MAX)} of its periods`, percent(share)),
    free === null
      ? unchecked(unallocated, `unknown; ${added}`)
      : passed(unallocated, `${describeMillicores(free)}; ${added}`),
    passed('Memory', 'unchanged'),
    passed('No other controller manages the requests', 'no VPA and no operator'),
  ]
}

const caveatsOf = (workload: WorkloadFacts, { from }: LimitChange) => [
  `Demand above the limit of ${describeMillicores(from)} is unknown. Check the throttling again after a day. If the nodes have enough CPU for the other pods, remove the limit.`,
  ...rolloutCaveats(workload),
  ...(workload.autoscaler?.cpuTargetPercent == null ? [] : ['The HPA scales on CPU: more usage may add pods.']),
]
