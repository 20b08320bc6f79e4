import { OOM_EXTRA_KIB, OOM_FACTOR } from '../../rightsizing/memory.ts'
import { grouped } from '../../count.ts'
import { describeMillicores } from '../../units.ts'
import { passed, showKib as show, unchecked, percent } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, specOf, targetOf, sizeTitle } from '../container-finding.ts'
import type { Change, Check, ContainerSpec, DemandEvidence, Leak, Verdict, Withheld } from '../finding.ts'
import { runningContainers } from '../facts/judgeable.ts'
import { notJudged } from '../sizing/not-judged.ts'
import { podCapacity, type PodCapacity } from '../facts/pod-capacity.ts'
import { regressionOf } from './change-regressed.ts'
import { policyOf } from '../facts/policy.ts'
import { rolloutReasons, rolloutRisk } from '../sizing/rollout.ts'
import type { Rule } from '../rule.ts'
import {
  heldUsd,
  isGuaranteed,
  savedUsd,
  sizeContainer,
  type Sizing,
  SHORT_SHARE_MAX,
} from '../sizing/size-container.ts'
import { LEAK_KILLS_MIN } from '../sizing/leak.ts'
import { LIMIT_SHARE_MAX, demandOf, limitsOf } from '../sizing/demand.ts'
import { sizeEvidence } from '../sizing/size-evidence.ts'
import { worst } from '../sizing/size-risk.ts'
import { confidenceIn, explainSize } from '../sizing/explain-size.ts'
import type { Level } from '../../vocabulary/recommendations.ts'

export const containerUnderprovisioned: Rule = {
  id: 'container_underprovisioned',
  category: 'reliability',
  title: 'Raise requests of under-provisioned containers',
  shortName: 'Under-provisioned',
  description:
    'Above its memory request, a container is evicted first. At its memory limit, it is OOM-killed. Above its CPU request, it competes for CPU.',
  trigger: `In 14 days, the container was OOM-killed, or its memory usage exceeded ${percent(LIMIT_SHARE_MAX)} of the limit or the request. Or CPU usage exceeded the request for more than ${percent(SHORT_SHARE_MAX)} of the time.`,
  saving: 'Negative: the cost of the larger requests.',
  guards: [
    `After an OOM kill, the memory request increases by ${percent(OOM_FACTOR - 1)} and at least ${show(OOM_EXTRA_KIB)}. The memory limit increases too.`,
    `A memory leak is likely after ${LEAK_KILLS_MIN} or more OOM kills in 14 days with rising memory. It is also likely if memory rises every day until a restart. Risk and confidence are then medium, and the evidence shows the time to the next OOM kill.`,
    'Usage at a limit does not show the demand above the limit. No value is proven safe, so the risk is at least medium.',
    'The same change never lowers a request.',
    'Withheld if a pod does not fit on its largest eligible node, or into the ResourceQuota.',
    'Eligible nodes follow from taints, node selectors, required node affinity and volume zones. If these are unknown, all nodes are eligible.',
    'Withheld with too little history or coverage, or if another controller manages the requests. An OOM kill is always reported.',
  ],
  needs: ['pods', 'rightsizing', 'oom_kills'],
  isAboutMoney: false,
  inPlan: { role: 'protect', verb: 'Raise', noun: ['request', 'requests'] },
  failure: { kind: 'oom_killed', severity: 'critical' },
  isRightSizing: true,
  judge: (facts) =>
    runningContainers(facts)
      .filter(({ workload, container }) => container.usage !== null && !regressionOf(facts, workload, container))
      .flatMap(({ workload, container }) => judge(facts, workload, container)),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict[] {
  const target = targetOf(workload, container.name)
  const { usage } = container
  const hasRequests = container.cpuRequestMillicores !== null || container.memoryRequestKib !== null
  // The rule for over-provisioned containers reports why a size is withheld. An OOM kill needs no further proof.
  if (!usage || !hasRequests || (notJudged(target, container) && container.oomKills === 0)) return []
  if (container.managedBy !== null) return []
  const sizing = sizeContainer(facts, workload, container, usage)
  if (sizing.direction !== 'more') return []
  return [exceedsCapacity(facts, workload, container, sizing) ?? found(facts, { workload, container, usage, sizing })]
}

function found(
  facts: ClusterFacts,
  {
    workload,
    container,
    usage,
    sizing,
  }: { workload: WorkloadFacts; container: ContainerFacts; usage: UsageFacts; sizing: Sizing },
): Verdict {
  const { recommended } = sizing
  const change = changeOf(workload, container, sizing)
  const policy = policyOf(facts.policies, workload.namespace)
  const explanation = explainSize(workload, container, usage, { recommended, options: { policy } })
  const demand = demandOf(container, usage, newLimits(workload, container, sizing))
  const risk = riskOf(workload, demand)
  return {
    ...aboutContainer(workload, container),
    title: sizeTitle(change, workload, container),
    recommendedSpec: recommended,
    change,
    estimatedUsdPerMonth: savedUsd(workload, container, usage, recommended),
    costUsdPerMonth: workload.price === null ? null : heldUsd(workload, usage, specOf(container), workload.price),
    risk: risk.level,
    riskReasons: risk.reasons,
    confidence: confidenceOf(container, usage, demand),
    isUrgent: container.oomKills > 0,
    checks: capacityChecks(facts, workload, container, sizing),
    evidence: sizeEvidence(workload, container, usage, {
      recommended,
      explanation: {
        ...explanation,
        demand,
        caveats: [...demandCaveats(demand), ...explanation.caveats],
        confidenceReasons: [...whyMore(container, usage), ...explanation.confidenceReasons],
      },
    }),
  }
}

function riskOf(workload: WorkloadFacts, { leak, unknownAbove }: DemandEvidence): { level: Level; reasons: string[] } {
  const isUnknown = unknownAbove.cpu || unknownAbove.memory
  return {
    level: worst([rolloutRisk(workload), leak !== null || isUnknown ? 'medium' : 'low']),
    reasons: [
      ...(leak === null ? [] : ['Memory leak: more memory only delays the next OOM kill']),
      ...(isUnknown ? ['Demand above the limit is unknown'] : []),
      ...rolloutReasons(workload),
    ],
  }
}

function confidenceOf(container: ContainerFacts, usage: UsageFacts, { leak }: DemandEvidence): Level {
  if (leak !== null) return 'medium'
  return container.oomKills > 0 ? 'high' : confidenceIn(container, usage)
}

/** First the measured usage, then the unknown demand. */
function demandCaveats({ leak, limits: { current }, unknownAbove }: DemandEvidence): string[] {
  const shown = current.memoryKib === null ? '' : show(current.memoryKib)
  return [
    ...(leak === null ? [] : [leakWords(leak)]),
    ...(unknownAbove.memory
      ? [`Demand above ${shown} is unknown. Usage at the limit understates the demand, so no value is proven safe.`]
      : []),
  ]
}

function leakWords({ kibPerHour, hoursToKill, hoursToKillProposed }: Leak): string {
  const then =
    hoursToKillProposed === null
      ? ''
      : ` With the proposed limit, the next OOM kill is expected after about ${hourWords(hoursToKillProposed)} instead of ${hourWords(hoursToKill)}.`
  return `Memory leak: memory grows by about ${show(kibPerHour)} per hour until the container is killed or restarted.${then} Fix the leak in the application.`
}

const hourWords = (hours: number) => (hours < 48 ? `${Number(hours.toFixed(1))} h` : `${Math.round(hours / 24)} days`)

function whyMore(
  { oomKills, memoryLimitKib, memoryRequestKib }: ContainerFacts,
  { memoryMaxKib }: UsageFacts,
): string[] {
  if (oomKills > 0) return [`The container was OOM-killed ${grouped(oomKills)} times in the last 14 days.`]
  if (memoryLimitKib !== null && memoryMaxKib > LIMIT_SHARE_MAX * memoryLimitKib)
    return [`Memory usage reached ${show(memoryMaxKib)}; the limit is ${show(memoryLimitKib)}.`]
  if (memoryRequestKib !== null && memoryMaxKib > memoryRequestKib)
    return [`Memory usage reached ${show(memoryMaxKib)}, above the request of ${show(memoryRequestKib)}.`]
  return [`CPU usage was above the request for more than ${percent(SHORT_SHARE_MAX)} of the time.`]
}

function changeOf(workload: WorkloadFacts, container: ContainerFacts, sizing: Sizing): Change {
  const { recommended } = sizing
  const object = targetOf(workload, container.name)
  const change = changeRequests('set_requests', object, { from: specOf(container), to: recommended })
  const limits = changeRequests('set_requests', object, {
    from: limitsOf(container),
    to: newLimits(workload, container, sizing),
    field: 'limits',
  })
  return {
    ...change,
    summary: [change, limits].flatMap(({ summary, fields }) => (fields.length > 0 ? [summary] : [])).join(' '),
    fields: [...change.fields, ...limits.fields],
  }
}

function newLimits(workload: WorkloadFacts, container: ContainerFacts, { recommended, memoryLimitKib }: Sizing) {
  if (isGuaranteed(workload)) return recommended
  const { cpuMillicores } = limitsOf(container)
  return { cpuMillicores, memoryKib: memoryLimitKib ?? container.memoryLimitKib }
}

/** A pod that fits on no node stays pending. */
function exceedsCapacity(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  { recommended }: Sizing,
): Withheld | null {
  const lack =
    lackOfNodes(facts, workload, container, recommended) ?? lackOfQuota(workload, moreOf(container, recommended))
  return lack && { kind: 'withheld', target: targetOf(workload, container.name), reason: 'no_room', ...lack }
}

type Lack = Pick<Withheld, 'detail' | 'unlock'>
type More = (name: keyof ContainerSpec) => number

const moreOf =
  (container: ContainerFacts, recommended: ContainerSpec): More =>
  (name) =>
    (recommended[name] ?? 0) - (specOf(container)[name] ?? 0)

/** The rising resources of a pod, with their new requests. Unchanged resources already fit. */
function risingOf({ containers }: WorkloadFacts, container: ContainerFacts, recommended: ContainerSpec): Rising[] {
  const more = moreOf(container, recommended)
  const others = containers.filter((each) => each !== container && each.kind !== 'init').map(specOf)
  return RESOURCES.filter((name) => more(name) > 0).map((name) => ({
    name,
    podRequests: others.reduce((sum, each) => sum + (each[name] ?? 0), recommended[name] ?? 0),
  }))
}

const RESOURCES = ['cpuMillicores', 'memoryKib'] as const
type Rising = { readonly name: keyof ContainerSpec; readonly podRequests: number }

function lackOfNodes(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  recommended: ContainerSpec,
): Lack | null {
  const capacity = podCapacity(facts, workload)
  if (capacity === null) return null
  if (risingOf(workload, container, recommended).every(({ name, podRequests }) => podRequests <= capacity[name]))
    return null
  return capacity.among === 'admitting'
    ? {
        detail: `With the larger requests, the pod fits on no eligible node. The largest offers ${shown(capacity)}.`,
        unlock:
          'Add larger nodes, allow the pods on other nodes (tolerations, affinity), or reduce the usage of the pods.',
      }
    : {
        detail: `With the larger requests, the pod fits on no node of the cluster. The largest offers ${shown(capacity)}.`,
        unlock: 'Add larger nodes, or reduce the usage of the pods.',
      }
}

type QuotaUse = { readonly name: keyof ContainerSpec; readonly requested: number; readonly left: number }

/** The increase of the requests of all its pods, for each resource in a quota. */
function quotaUses({ limits, replicas }: WorkloadFacts, more: More): QuotaUse[] {
  const left = { cpuMillicores: limits?.quotaCpuMillicoresLeft, memoryKib: limits?.quotaMemoryKibLeft }
  return RESOURCES.flatMap((name) => {
    const requested = more(name) * replicas
    const ofQuota = left[name]
    return requested > 0 && typeof ofQuota === 'number' ? [{ name, requested, left: ofQuota }] : []
  })
}

function lackOfQuota(workload: WorkloadFacts, more: More): Lack | null {
  const lacking = quotaUses(workload, more).filter(({ requested, left }) => requested > left)
  if (lacking.length === 0) return null
  return {
    detail: `The ResourceQuota of the namespace is too small: ${lacking.map(quotaWords).join(', ')}.`,
    unlock: 'Raise the ResourceQuota of the namespace.',
  }
}

const wordOf = { cpuMillicores: 'CPU', memoryKib: 'memory' }
const showAmount = { cpuMillicores: describeMillicores, memoryKib: show }

const quotaWords = ({ name, requested, left }: QuotaUse) =>
  `the pods request ${showAmount[name](requested)} more ${wordOf[name]}, and ${showAmount[name](left)} is left`

const shown = ({ cpuMillicores, memoryKib }: PodCapacity) =>
  `${describeMillicores(cpuMillicores)} of CPU and ${show(memoryKib)} of memory`

const fitChecks = {
  admitting: 'Pod size and largest eligible node',
  cluster: 'Pod size and largest node of the cluster',
}

/** Unchanged resources are not checked: the pod runs with them. */
function fitCheck(capacity: PodCapacity | null, rising: readonly Rising[]): Check {
  if (capacity === null) return unchecked(fitChecks.cluster, 'no node reported')
  const found = rising.map(
    ({ name, podRequests }) =>
      `a pod requests ${showAmount[name](podRequests)} of ${showAmount[name](capacity[name])} ${wordOf[name]}`,
  )
  return passed(fitChecks[capacity.among], found.join(', ') || 'no request increases')
}

function capacityChecks(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  { recommended }: Sizing,
): Check[] {
  const uses = quotaUses(workload, moreOf(container, recommended))
  return [
    fitCheck(podCapacity(facts, workload), risingOf(workload, container, recommended)),
    passed('The ResourceQuota allows the new requests', uses.map(quotaWords).join(', ') || 'no quota applies'),
    passed('No request is lowered in the same change', changed(specOf(container), recommended)),
    passed('No other controller manages the requests', 'no VPA and no operator'),
  ]
}

const changed = (current: ContainerSpec, recommended: ContainerSpec) =>
  [
    ...(current.cpuMillicores === recommended.cpuMillicores ? [] : ['CPU increases']),
    ...(current.memoryKib === recommended.memoryKib ? [] : ['memory increases']),
  ].join(', ') || 'only the limit increases'
