import { DAILY_BAND, keepWithin } from '../rightsizing/band.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { basisOf, changeRequests, specOf, targetOf } from './container-rule.ts'
import type { ContainerSpec, Target, Verdict } from './finding.ts'
import { notJudged } from './judgeable.ts'
import type { Rule } from './rule.ts'
import { listSharedSidecars, type SharedSidecar } from './shared-sidecars.ts'
import { heldUsd, savedUsd, sizeContainer } from './size-container.ts'
import { sizeEvidence, worst } from './size-evidence.ts'
import { confidenceIn, riskIn, tellSize } from './tell-size.ts'

export const sidecarOverprovisioned: Rule = {
  id: 'sidecar_overprovisioned',
  category: 'cpu_memory',
  title: 'A sidecar that asks for too much in every pod',
  description:
    'A sidecar that is put into many workloads is sized once, in the template of whoever injects it. What the busiest of them needs is enough for all.',
  trigger: 'Three or more workloads have the same sidecar with the same requests, and all need less.',
  saving: 'The difference × what it costs, summed over all pods that have it.',
  guards: [
    'The proposal is what the most demanding of the workloads needs; with one that cannot be judged, nothing is said.',
    'Its template belongs to somebody else: the change names the sidecar, not the workloads.',
    'All guards of container_overprovisioned hold for each of them.',
  ],
  needs: ['pods', 'prices', 'rightsizing'],
  isAboutMoney: true,
  judge: (facts) => [...new Set(listSharedSidecars(facts).values())].flatMap((group) => judge(facts, group)),
}

/** It belongs to no namespace: its template does. */
export const sidecarTarget = (name: string): Target => ({ kind: 'Sidecar', namespace: '', name, container: name })

function judge(facts: ClusterFacts, group: readonly SharedSidecar[]): Verdict[] {
  const [first] = group
  if (!first) return []
  const target = sidecarTarget(first.container.name)
  const sized = group.flatMap(({ workload, container }) => {
    const { usage } = container
    if (!usage || notJudged(target, workload, container)) return []
    return [{ workload, container, usage, sizing: sizeContainer(facts, workload, container, usage) }]
  })
  if (sized.length < group.length) {
    const open = group.find(({ container }) => !sized.some((each) => each.container === container))
    const reason = open && notJudged(target, open.workload, open.container)
    return reason ? [{ ...reason, detail: `In ${open.workload.name}: ${reason.detail}` }] : []
  }
  const current = specOf(first.container)
  const most = (name: keyof ContainerSpec) => {
    const needed = Math.max(...sized.map(({ sizing }) => sizing.recommended[name] ?? 0))
    const now = current[name]
    return now === null ? null : Math.min(now, keepWithin(DAILY_BAND, now, needed))
  }
  const recommended = { cpuMillicores: most('cpuMillicores'), memoryKib: most('memoryKib') }
  const isLower = recommended.cpuMillicores !== current.cpuMillicores || recommended.memoryKib !== current.memoryKib
  if (!isLower || sized.some(({ sizing }) => sizing.direction === 'more')) return []
  const busiest = sized.reduce((a, b) => (needs(b.sizing.recommended) > needs(a.sizing.recommended) ? b : a))
  const { workload, container, usage } = busiest
  const told = tellSize(workload, container, usage, recommended)
  return [
    {
      kind: 'finding',
      target,
      title: `Lower the requests of the sidecar ${target.name} in ${group.length} workloads`,
      podName: workload.podName,
      workload: null,
      currentSpec: current,
      recommendedSpec: recommended,
      change: changeRequests('set_requests', target, current, recommended),
      estimatedUsdPerMonth: sum(sized.map((each) => savedUsd(each.workload, each.container, each.usage, recommended))),
      bankableUsdPerMonth: null,
      costUsdPerMonth: sum(
        sized.map((each) =>
          each.workload.price === null ? 0 : heldUsd(each.workload, each.usage, current, each.workload.price),
        ),
      ),
      risk: worst(sized.map((each) => riskIn(each.container, each.usage, recommended))),
      confidence: confidenceIn(container, usage),
      isUrgent: false,
      basis: basisOf({ ...workload, replicas: group.length }, container),
      evidence: sizeEvidence(workload, container, usage, recommended, {
        ...told,
        caveats: [
          ...told.caveats,
          'Its template may belong to another team, and a new version of it may bring the old value back.',
        ],
        facts: { ...told.facts, workloads: group.length, busiest: targetOf(workload).name },
      }),
    },
  ]
}

const needs = ({ cpuMillicores, memoryKib }: ContainerSpec) => (cpuMillicores ?? 0) + (memoryKib ?? 0) / 4096

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
