import { count } from '../../count.ts'
import { passed, percent, unchecked } from '../checks.ts'
import type { BalancerFacts, ClusterFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { basisOf, noNodePrice, specOf, targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import {
  holdsIdleGpu,
  IDLE_DAYS_MIN,
  IDLE_MILLICORES_MAX,
  IDLE_SHARE_MAX,
  isAbandoned,
} from '../facts/idle-workload.ts'
import { workloadPath } from '../savings/list-proposals.ts'
import { showUsd } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, sumAmounts, timesAmount } from '../savings/saving-lines.ts'
import { heldAmount, heldUsd, podsPaid } from '../sizing/size-container.ts'
import { maxMillicores, usageEvidence } from '../sizing/size-evidence.ts'

export const workloadAbandoned: Rule = {
  id: 'workload_abandoned',
  category: 'idle',
  title: 'Workloads that do nothing',
  shortName: 'Abandoned',
  description:
    'For two weeks none of its containers has used more CPU than it takes to say that it is alive. Somebody may have forgotten it. Scale it to 0 first; if nobody asks for it, delete it.',
  trigger:
    'In 14 days no minute of any of its containers used more than 5 % of its CPU request, nor more than 5 millicores.',
  saving: 'What its containers cost.',
  guards: [
    'Two weeks have to be known, nine tenths of them: what runs once a week is not abandoned.',
    'DaemonSets, StatefulSets and jobs are left out: they serve nodes, hold data or wait for their time.',
    'Another rule is about workloads that hold a GPU.',
    'What scales, what is marked with plimsoll.dev/standby and what has restarted lately is left out.',
    'Whether it gets traffic is not known, so confidence is low; a load balancer that points at it is named.',
    'What such a balancer costs is not counted here: another rule counts it once nothing answers behind it.',
  ],
  needs: ['pods', 'prices', 'usage'],
  isAboutMoney: true,
  asksToDelete: true,
  judge: (facts) =>
    facts.workloads
      .filter((workload) => isAbandoned(facts, workload) && !holdsIdleGpu(facts, workload))
      .flatMap((workload) => judge(facts, workload)),
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
        passed(`At least ${IDLE_DAYS_MIN} days are known`, `${(first?.usage.historyDays ?? 0).toFixed(0)} days`),
        passed(
          `Never more than ${IDLE_MILLICORES_MAX} millicores and ${percent(IDLE_SHARE_MAX)} of its request`,
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
