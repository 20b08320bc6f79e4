import { DAILY_BAND, keepWithin } from '../../rightsizing/band.ts'
import { passed } from '../checks.ts'
import type { ClusterFacts, UsageFacts } from '../facts/cluster-facts.ts'
import { basisOf, changeRequests, specOf, targetOf } from '../container-finding.ts'
import type { ContainerSpec, Finding, PriceRow, SavingLine, Target, Verdict } from '../finding.ts'
import { notJudged } from '../sizing/not-judged.ts'
import { policyOf } from '../facts/policy.ts'
import { sidecarTarget } from '../object-finding.ts'
import { isAloneMeanwhile } from '../sizing/rollout.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, sumAmounts } from '../savings/saving-lines.ts'
import { listSharedSidecars, type SharedSidecar, WORKLOADS_MIN } from '../facts/shared-sidecars.ts'
import { freedAmount, heldUsd, savedUsd, sizeContainer, type Sizing } from '../sizing/size-container.ts'
import { sizeEvidence } from '../sizing/size-evidence.ts'
import { sizeRisk, worst } from '../sizing/size-risk.ts'
import { confidenceIn, explainSize } from '../sizing/explain-size.ts'

export const sidecarOverprovisioned: Rule = {
  id: 'sidecar_overprovisioned',
  category: 'cpu_memory',
  title: 'Lower requests of over-provisioned sidecars',
  shortName: 'Sidecar',
  description:
    'An injected sidecar has one size for all workloads, set in its injection template. The proposal is large enough for the busiest workload.',
  trigger: `${WORKLOADS_MIN} or more workloads have the same sidecar with the same requests, and all need less.`,
  saving: 'The difference × price, for all pods with the sidecar.',
  guards: [
    'The proposal is what the busiest workload requires. If one workload cannot be sized, nothing is proposed.',
    'The change names the sidecar, not the workloads: another team may own the template.',
    'All guards for over-provisioned containers apply to each workload.',
  ],
  needs: ['pods', 'prices', 'rightsizing'],
  isAboutMoney: true,
  inPlan: { role: 'resize', verb: 'Lower', noun: ['sidecar request', 'sidecar requests'] },
  judge: (facts) => [...new Set(listSharedSidecars(facts).values())].flatMap((group) => judge(facts, group)),
}

type Sized = SharedSidecar & { readonly usage: UsageFacts; readonly sizing: Sizing }

function judge(facts: ClusterFacts, group: readonly SharedSidecar[]): Verdict[] {
  const [first] = group
  if (!first) return []
  const target = sidecarTarget(first.container.name)
  const sized = sizeAll(facts, target, group)
  if (sized.length < group.length) return unjudged(target, group, sized)
  const current = specOf(first.container)
  const recommended = leastForAll(current, sized)
  const isLower = recommended.cpuMillicores !== current.cpuMillicores || recommended.memoryKib !== current.memoryKib
  if (!isLower || sized.some(({ sizing }) => sizing.direction === 'more')) return []
  return [found(facts, { target, sized, current, recommended })]
}

const sizeAll = (facts: ClusterFacts, target: Target, group: readonly SharedSidecar[]): Sized[] =>
  group.flatMap(({ workload, container }) => {
    const { usage } = container
    if (!usage || notJudged(target, container)) return []
    return [{ workload, container, usage, sizing: sizeContainer(facts, workload, container, usage) }]
  })

/** A sidecar without data may need the most. */
function unjudged(target: Target, group: readonly SharedSidecar[], sized: readonly Sized[]): Verdict[] {
  const open = group.find(({ container }) => !sized.some((each) => each.container === container))
  const reason = open && notJudged(target, open.container)
  return reason ? [{ ...reason, detail: `For ${open.workload.name}: ${reason.detail}` }] : []
}

function leastForAll(current: ContainerSpec, sized: readonly Sized[]): ContainerSpec {
  const most = (name: keyof ContainerSpec) => {
    const needed = Math.max(...sized.map(({ sizing }) => sizing.recommended[name] ?? 0))
    const now = current[name]
    return now === null ? null : Math.min(now, keepWithin(DAILY_BAND, now, needed))
  }
  return { cpuMillicores: most('cpuMillicores'), memoryKib: most('memoryKib') }
}

function found(
  facts: ClusterFacts,
  {
    target,
    sized,
    current,
    recommended,
  }: { target: Target; sized: readonly Sized[]; current: ContainerSpec; recommended: ContainerSpec },
): Finding {
  const busiest = sized.reduce((a, b) => (needs(b.sizing.recommended) > needs(a.sizing.recommended) ? b : a))
  const { workload, container, usage } = busiest
  const policy = policyOf(facts.policies, workload.namespace)
  const explanation = explainSize(workload, container, usage, {
    recommended,
    options: { policy, rollout: rolloutOf(sized) },
  })
  const workloads = sized.length
  const risks = sized.map((each) => ({ ...each, ...sizeRisk({ ...each, recommended }) }))
  const risk = worst(risks.map(({ level }) => level))
  const riskiest = risks.find(({ level }) => level === risk)
  return {
    kind: 'finding',
    target,
    title: `Lower requests of sidecar ${target.name} in ${workloads} workloads`,
    podName: workload.podName,
    workload: null,
    currentSpec: current,
    recommendedSpec: recommended,
    change: changeRequests('set_requests', target, { from: current, to: recommended }),
    action: {
      kind: 'shrink_sidecar',
      cpu: recommended.cpuMillicores === null ? null : `${recommended.cpuMillicores}m`,
      memory: recommended.memoryKib === null ? null : `${Math.ceil(recommended.memoryKib / 1024)}Mi`,
    },
    estimatedUsdPerMonth: sum(sized.map((each) => savedUsd(each.workload, each.container, each.usage, recommended))),
    bankableUsdPerMonth: null,
    costUsdPerMonth: sum(sized.map((each) => costOf(each, current))),
    risk,
    riskReasons: riskiest?.inShort.map((reason) => `${riskiest.workload.name}: ${reason}`) ?? [],
    confidence: confidenceIn(container, usage),
    isUrgent: false,
    basis: basisOf({ ...workload, replicas: workloads }, container),
    checks: [
      passed(`At least ${WORKLOADS_MIN} workloads have the same sidecar`, `${workloads} workloads`),
      passed('Every workload can be sized', `all ${workloads}`),
      passed('Enough for the busiest workload', targetOf(workload).name),
    ],
    evidence: sizeEvidence(workload, container, usage, {
      recommended,
      explanation: {
        ...explanation,
        confidenceReasons: [
          ...explanation.confidenceReasons,
          ...(riskiest?.reasons.map((reason) => `For ${riskiest.workload.name}: ${reason}`) ?? []),
        ],
        caveats: [
          ...explanation.caveats,
          'Another team may own the template, and a new version may restore the old values.',
        ],
        facts: { ...explanation.facts, workloads, busiest: targetOf(workload).name },
        money: { prices: rowsOf(sized), linesOf: () => linesOf(sized, recommended) },
      },
    }),
  }
}

/** The rollout replaces the pods of all workloads, not only of the busiest one. */
function rolloutOf(sized: readonly Sized[]): string[] {
  const alone = sized.filter(({ workload }) => isAloneMeanwhile(workload)).map(({ workload }) => workload.name)
  return [
    'Applying this restarts the pods of all these workloads (rolling update).',
    ...(alone.length > 0 ? [`Unavailable during the rollout (single pod): ${alone.join(', ')}.`] : []),
  ]
}

const rowsOf = (sized: readonly Sized[]): PriceRow[] => [
  ...new Map(sized.flatMap(({ workload }) => workload.price?.rows ?? []).map((row) => [row.rateId, row])).values(),
]

/** The total reduction of all sidecars, at the mean price of their nodes. */
function linesOf(sized: readonly Sized[], recommended: ContainerSpec): SavingLine[] {
  const freed = sized.flatMap(({ workload, container, usage }) =>
    workload.price === null
      ? []
      : [{ price: workload.price, amount: freedAmount(workload, container, usage, recommended) }],
  )
  const total = sumAmounts(freed.map(({ amount }) => amount))
  const cpuUsd = sum(freed.map(({ amount, price }) => amount.cpuMillicores * price.cpuUsdPerMillicoreMonth))
  const memoryUsd = sum(freed.map(({ amount, price }) => amount.memoryKib * price.memoryUsdPerKibMonth))
  const price = {
    cpuUsdPerMillicoreMonth: total.cpuMillicores === 0 ? 0 : cpuUsd / total.cpuMillicores,
    memoryUsdPerKibMonth: total.memoryKib === 0 ? 0 : memoryUsd / total.memoryKib,
    rows: rowsOf(sized),
  }
  return resourceLines(`requests in ${sized.length} workloads, freed`, total, price)
}

const costOf = ({ workload, usage }: Sized, current: ContainerSpec) =>
  workload.price === null ? 0 : heldUsd(workload, usage, current, workload.price)

const needs = ({ cpuMillicores, memoryKib }: ContainerSpec) => (cpuMillicores ?? 0) + (memoryKib ?? 0) / 4096

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
