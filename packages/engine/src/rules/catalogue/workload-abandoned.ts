import { count } from '../../count.ts'
import { passed, percent, unchecked } from '../checks.ts'
import type { BalancerFacts, ClusterFacts, ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { basisOf, noNodePrice, specOf, targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { holdsIdleGpu } from './gpu-idle.ts'
import { runsAllTheTime } from '../facts/judgeable.ts'
import { workloadPath } from '../savings/list-proposals.ts'
import { isStandby } from '../facts/annotations.ts'
import { showUsd } from '../object-finding.ts'
import { policyOf } from '../facts/policy.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, sumAmounts, timesAmount } from '../savings/saving-lines.ts'
import { heldAmount, heldUsd, podsPaid } from '../sizing/size-container.ts'
import { maxMillicores, usageEvidence } from '../sizing/size-evidence.ts'

const DAYS_MIN = 14
const SHARE_MAX = 0.05
/** What a process takes that only answers whether it is alive. */
const IDLE_MILLICORES_MAX = 5

export const workloadAbandoned: Rule = {
  id: 'workload_abandoned',
  category: 'idle',
  title: 'Workloads that do nothing',
  description:
    'For two weeks none of its containers has used more CPU than it takes to say that it is alive. Somebody may have forgotten it. Scale it to 0 first; if nobody asks for it, delete it.',
  trigger:
    'In 14 days no minute of any of its containers used more than 5 % of its CPU request, nor more than 5 millicores.',
  saving: 'What its containers cost.',
  guards: [
    'Two weeks have to be known, nine tenths of them: what runs once a week is not abandoned.',
    'DaemonSets, StatefulSets and jobs are left out: they serve nodes, hold data or wait for their time.',
    'What holds a GPU is left to gpu_idle.',
    'What scales, what is marked with plimsoll.dev/standby and what has restarted lately is left out.',
    'Whether it gets traffic is not known, so confidence is low; a load balancer that points at it is named.',
    'What such a balancer costs is not counted here: once nothing answers behind it, loadbalancer_orphaned does.',
  ],
  needs: ['pods', 'prices', 'usage'],
  isAboutMoney: true,
  judge: (facts) =>
    facts.workloads
      .filter((workload) => isAbandoned(facts, workload) && !holdsIdleGpu(facts, workload))
      .flatMap((workload) => judge(facts, workload)),
}

export function isAbandoned(facts: ClusterFacts, workload: WorkloadFacts): boolean {
  if (!runsAllTheTime(workload) || workload.autoscaler !== null || isStandby(workload)) return false
  if (workload.kind === 'DaemonSet' || workload.kind === 'StatefulSet') return false
  const running = workload.containers.filter(({ kind }) => kind !== 'init')
  const { coverageMin } = policyOf(facts.policies, workload.namespace)
  return running.length > 0 && running.every((container) => isIdle(container, Math.max(0.9, coverageMin)))
}

function isIdle({ usage, cpuRequestMillicores }: ContainerFacts, coverageMin: number): boolean {
  if (!usage || usage.historyDays < DAYS_MIN || usage.coverage < coverageMin || usage.restarts > 0) return false
  const max = maxMillicores(usage)
  return max <= IDLE_MILLICORES_MAX && max <= SHARE_MAX * (cpuRequestMillicores ?? Infinity)
}

function judge(facts: ClusterFacts, workload: WorkloadFacts): Verdict[] {
  const target = targetOf(workload)
  const { price, name, kind } = workload
  if (price === null) return [noNodePrice(target)]
  const used = workload.containers.flatMap((container) =>
    container.usage ? [{ container, usage: container.usage }] : [],
  )
  const usd = used.reduce((sum, { container, usage }) => sum + heldUsd(workload, usage, specOf(container), price), 0)
  const [first] = used
  const balancers = balancersOf(facts, workload)
  const max = Math.max(...used.map(({ usage }) => maxMillicores(usage)))
  return [
    {
      kind: 'finding',
      target,
      title: `${name} has done nothing for two weeks`,
      podName: workload.podName,
      workload: { kind, name, container: '' },
      currentSpec: null,
      recommendedSpec: null,
      change: {
        action: 'investigate',
        object: target,
        summary: `Ask whether ${name} is still needed. Scale it to 0, wait a week, then delete it.`,
        fields: [],
      },
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: null,
      costUsdPerMonth: usd,
      risk: 'high',
      confidence: 'low',
      isUrgent: false,
      removesPods: workload.replicas,
      basis: workload.containers.map((container) => basisOf(workload, container)).join(', '),
      checks: [
        passed(`At least ${DAYS_MIN} days are known`, `${(first?.usage.historyDays ?? 0).toFixed(0)} days`),
        passed(
          `Never more than ${IDLE_MILLICORES_MAX} millicores and ${percent(SHARE_MAX)} of its request`,
          `${max.toFixed(1)} millicores at most`,
        ),
        passed('Nothing scales it and it has not restarted', 'no autoscaler, no restart'),
        passed('Not marked as a standby', 'no mark'),
        unchecked('It gets no traffic', pointing(balancers) ?? 'traffic is not measured'),
      ],
      evidence: {
        ...(first ? usageEvidence(first.usage) : NO_EVIDENCE),
        prices: price.rows,
        savingLines: resourceLines(
          'that its pods hold',
          sumAmounts(
            used.map(({ container, usage }) =>
              timesAmount(heldAmount(usage, specOf(container)), podsPaid(workload, usage)),
            ),
          ),
          price,
        ),
        confidenceReasons: [`In two weeks it never used more than ${max.toFixed(1)} millicores.`],
        caveats: [
          'Traffic is not measured: it may be a standby, or wait for something that is rare.',
          ...balancers.map(balancerCaveat),
        ],
        facts: {
          replicas: workload.replicas,
          max_cpu_millicores: Number(max.toFixed(1)),
          ...(balancers.length === 0 ? {} : { balancers: balancers.map(nameOf).join(', ') }),
        },
      },
    },
  ]
}

const balancersOf = ({ balancers }: ClusterFacts, { namespace, kind, name }: WorkloadFacts) =>
  balancers.filter(({ workloads = [] }) => workloads.includes(workloadPath(namespace, kind, name)))

const nameOf = ({ namespace, name }: BalancerFacts) => `${namespace}/${name}`

const pointing = (balancers: readonly BalancerFacts[]) =>
  balancers.length === 0
    ? null
    : `not measured, and ${count(balancers.length, 'load balancer points', 'load balancers point')} at it`

/** Whoever pays for a balancer may still be called through it; and it is more money, which goes only with the service. */
function balancerCaveat(balancer: BalancerFacts): string {
  const { usdPerMonth, workloads = [] } = balancer
  const cost = usdPerMonth === null ? '' : ` (${showUsd(usdPerMonth)} a month, not counted here)`
  const points = `Load balancer ${nameOf(balancer)}${cost} points at it: somebody may still call it.`
  return workloads.length > 1 ? points : `${points} Nothing else is behind it: if this goes, delete its service too.`
}
