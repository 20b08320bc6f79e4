import { grouped } from '../../count.ts'
import { describeMillicores } from '../../units.ts'
import { passed, showKib as show, unchecked } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, specOf, targetOf } from '../container-finding.ts'
import type { Change, Check, ContainerSpec, Level, Verdict, Withheld } from '../finding.ts'
import { notJudged, runningContainers } from '../facts/judgeable.ts'
import { podRoom, type PodRoom } from '../facts/pod-room.ts'
import { policyOf } from '../facts/policy.ts'
import { rolloutRisk } from '../sizing/rollout.ts'
import type { Rule } from '../rule.ts'
import { heldUsd, isGuaranteed, savedUsd, sizeContainer, type Sizing } from '../sizing/size-container.ts'
import { sizeEvidence } from '../sizing/size-evidence.ts'
import { worst } from '../sizing/size-risk.ts'
import { confidenceIn, tellSize } from '../sizing/explain-size.ts'

export const containerUnderprovisioned: Rule = {
  id: 'container_underprovisioned',
  category: 'reliability',
  title: 'Containers that get too little',
  shortName: 'Under-provisioned',
  description:
    'A container that lives above its memory request is the first to go when its node fills up; one that reaches its limit is killed; one that is short of CPU waits for its neighbours.',
  trigger:
    'An out-of-memory kill, memory above 90 % of the limit or above the request, or CPU above the request for more than 5 % of two weeks, and right-sizing asks for more.',
  saving: 'Negative: what the larger requests cost.',
  guards: [
    'After an out-of-memory kill memory rises by a fifth and at least 100 MiB; limits rise with it.',
    'Ten kills or more in two weeks look like a leak: the advice says so, with medium risk and confidence.',
    'Nothing is lowered in the same change.',
    'What would not fit on the largest node that its pods may run on, or into the quota of its namespace, is withheld.',
    'Which nodes these are is said by taints, node selectors, required node affinity and the zones of volumes; where that is not known, all nodes of the cluster count.',
    'Less history or coverage than the policy asks for, or requests that others manage: withheld; a kill is told all the same.',
  ],
  needs: ['pods', 'rightsizing', 'oom_kills'],
  isAboutMoney: false,
  isRightSizing: true,
  judge: (facts) =>
    runningContainers(facts)
      .filter(({ container }) => container.usage !== null)
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
  return [noRoom(facts, workload, container, sizing) ?? found(facts, workload, container, usage, sizing)]
}

function found(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  sizing: Sizing,
): Verdict {
  const { recommended } = sizing
  const policy = policyOf(facts.policies, workload.namespace)
  const told = tellSize(workload, container, usage, recommended, { policy })
  return {
    ...aboutContainer(workload, container),
    title: `Raise the requests of container ${container.name} of ${workload.name}`,
    recommendedSpec: recommended,
    change: changeOf(workload, container, sizing),
    estimatedUsdPerMonth: savedUsd(workload, container, usage, recommended),
    costUsdPerMonth: workload.price === null ? null : heldUsd(workload, usage, specOf(container), workload.price),
    risk: worst([rolloutRisk(workload), mayLeak(container) ? 'medium' : 'low']),
    confidence: confidenceOf(container, usage),
    isUrgent: container.oomKills > 0,
    checks: roomChecks(facts, workload, container, sizing),
    evidence: sizeEvidence(workload, container, usage, recommended, {
      ...told,
      caveats: [...leakCaveat(container), ...told.caveats],
      confidenceReasons: [...whyMore(container, usage), ...told.confidenceReasons],
    }),
  }
}

/** Who is killed so often in two weeks fills whatever it gets: a limit that was a little low kills now and then. */
const LEAK_KILLS_MIN = 10

const mayLeak = ({ oomKills }: ContainerFacts) => oomKills >= LEAK_KILLS_MIN

function confidenceOf(container: ContainerFacts, usage: UsageFacts): Level {
  if (mayLeak(container)) return 'medium'
  return container.oomKills > 0 ? 'high' : confidenceIn(container, usage)
}

const leakCaveat = (container: ContainerFacts) =>
  mayLeak(container)
    ? [
        `It was killed ${grouped(container.oomKills)} times in two weeks, which looks like a memory leak: then more memory only makes it last longer. Look at how its memory grows before you raise it.`,
      ]
    : []

function whyMore(
  { oomKills, memoryLimitKib, memoryRequestKib }: ContainerFacts,
  { memoryMaxKib }: UsageFacts,
): string[] {
  if (oomKills > 0) return [`It was killed ${grouped(oomKills)} times for lack of memory in the last two weeks.`]
  if (memoryLimitKib !== null && memoryMaxKib > 0.9 * memoryLimitKib)
    return [`It has used ${show(memoryMaxKib)} of its limit of ${show(memoryLimitKib)}.`]
  if (memoryRequestKib !== null && memoryMaxKib > memoryRequestKib)
    return [`It has used ${show(memoryMaxKib)} of memory and asks for ${show(memoryRequestKib)}.`]
  return ['It uses more CPU than it asks for, more than 5 % of the time.']
}

function changeOf(workload: WorkloadFacts, container: ContainerFacts, { recommended, memoryLimitKib }: Sizing): Change {
  const object = targetOf(workload, container.name)
  const change = changeRequests('set_requests', object, specOf(container), recommended)
  const limits = changeRequests('set_requests', object, limitsOf(container), newLimits(), 'limits')
  return {
    ...change,
    summary: [change, limits].flatMap(({ summary, fields }) => (fields.length > 0 ? [summary] : [])).join(' '),
    fields: [...change.fields, ...limits.fields],
  }
  function newLimits(): ContainerSpec {
    if (isGuaranteed(workload)) return recommended
    const { cpuMillicores } = limitsOf(container)
    return { cpuMillicores, memoryKib: memoryLimitKib ?? container.memoryLimitKib }
  }
}

const limitsOf = ({ cpuLimitMillicores, memoryLimitKib }: ContainerFacts): ContainerSpec => ({
  cpuMillicores: cpuLimitMillicores,
  memoryKib: memoryLimitKib,
})

/** What cannot be placed is no advice. */
function noRoom(
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

/** What goes up of a pod, and what it asks for then. What stays as it is runs somewhere now. */
function risingOf({ containers }: WorkloadFacts, container: ContainerFacts, recommended: ContainerSpec): Rising[] {
  const more = moreOf(container, recommended)
  const others = containers.filter((each) => each !== container && each.kind !== 'init').map(specOf)
  return RESOURCES.filter((name) => more(name) > 0).map((name) => ({
    name,
    podAsks: others.reduce((sum, each) => sum + (each[name] ?? 0), recommended[name] ?? 0),
  }))
}

const RESOURCES = ['cpuMillicores', 'memoryKib'] as const
type Rising = { readonly name: keyof ContainerSpec; readonly podAsks: number }

function lackOfNodes(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  recommended: ContainerSpec,
): Lack | null {
  const room = podRoom(facts, workload)
  if (room === null) return null
  if (risingOf(workload, container, recommended).every(({ name, podAsks }) => podAsks <= room[name])) return null
  return room.among === 'admitting'
    ? {
        detail: `A pod of it would need more than any node has that its pods may run on: ${shown(room)} at most.`,
        unlock: 'Add larger nodes that admit its pods, let them run on others, or make it need less.',
      }
    : {
        detail: `A pod of it would need more than any node of the cluster has: ${shown(room)} at most.`,
        unlock: 'Add larger nodes, or make it need less.',
      }
}

type QuotaUse = { readonly name: keyof ContainerSpec; readonly asks: number; readonly left: number }

/** What all its pods together ask for beyond today, where a quota counts it. */
function quotaUses({ limits, replicas }: WorkloadFacts, more: More): QuotaUse[] {
  const left = { cpuMillicores: limits?.quotaCpuMillicoresLeft, memoryKib: limits?.quotaMemoryKibLeft }
  return RESOURCES.flatMap((name) => {
    const asks = more(name) * replicas
    const ofQuota = left[name]
    return asks > 0 && typeof ofQuota === 'number' ? [{ name, asks, left: ofQuota }] : []
  })
}

function lackOfQuota(workload: WorkloadFacts, more: More): Lack | null {
  const lacking = quotaUses(workload, more).filter(({ asks, left }) => asks > left)
  if (lacking.length === 0) return null
  return {
    detail: `The quota of its namespace leaves too little: ${lacking.map(quotaWords).join(', ')}.`,
    unlock: 'Raise the quota of its namespace.',
  }
}

const wordOf = { cpuMillicores: 'CPU', memoryKib: 'memory' }
const showAmount = { cpuMillicores: describeMillicores, memoryKib: show }

const quotaWords = ({ name, asks, left }: QuotaUse) =>
  `its pods ask for ${showAmount[name](asks)} more of ${wordOf[name]}, and ${showAmount[name](left)} is left`

const shown = ({ cpuMillicores, memoryKib }: PodRoom) =>
  `${describeMillicores(cpuMillicores)} of CPU and ${show(memoryKib)} of memory`

const fitChecks = {
  admitting: 'What rises fits on the largest node that its pods may run on',
  cluster: 'What rises fits on the largest node of the cluster',
}

/** Whether the rest fits is not asked: it runs. */
function fitCheck(room: PodRoom | null, rising: readonly Rising[]): Check {
  if (room === null) return unchecked(fitChecks.cluster, 'no node is known')
  const found = rising.map(
    ({ name, podAsks }) =>
      `a pod asks for ${showAmount[name](podAsks)} of ${showAmount[name](room[name])} of ${wordOf[name]}`,
  )
  return passed(fitChecks[room.among], found.join(', ') || 'nothing that a pod asks for goes up')
}

function roomChecks(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  { recommended }: Sizing,
): Check[] {
  const uses = quotaUses(workload, moreOf(container, recommended))
  return [
    fitCheck(podRoom(facts, workload), risingOf(workload, container, recommended)),
    passed('The quota of its namespace has room', uses.map(quotaWords).join(', ') || 'no quota for what goes up'),
    passed('Nothing goes down in the same change', changed(specOf(container), recommended)),
    passed('Nobody else writes its requests', 'no VerticalPodAutoscaler and no operator'),
  ]
}

const changed = (current: ContainerSpec, recommended: ContainerSpec) =>
  [
    ...(current.cpuMillicores === recommended.cpuMillicores ? [] : ['CPU goes up']),
    ...(current.memoryKib === recommended.memoryKib ? [] : ['memory goes up']),
  ].join(', ') || 'only the limit goes up'
