import { stopWorkload } from '../stop-workload.ts'
import { count } from '../../count.ts'
import { passed, percent, unchecked } from '../checks.ts'
import type { BalancerFacts, ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { basisOf, noNodePrice, specOf, targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Check, type Evidence, type Verdict } from '../finding.ts'
import {
  holdsIdleGpu,
  IDLE_DAYS_MIN,
  IDLE_MILLICORES_MAX,
  IDLE_SHARE_MAX,
  isAbandoned,
  IDLE_COVERAGE_MIN,
} from '../facts/idle-workload.ts'
import { workloadPath } from '../savings/list-proposals.ts'
import { showUsd } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, sumAmounts, timesAmount } from '../savings/saving-lines.ts'
import { heldAmount, heldUsd, podsPaid } from '../sizing/size-container.ts'
import { maxMillicores } from '../facts/max-millicores.ts'
import { usageEvidence } from '../sizing/size-evidence.ts'
import { investigateFinding } from '../investigate-finding.ts'

export const workloadAbandoned: Rule = {
  id: 'workload_abandoned',
  category: 'idle',
  title: 'Scale abandoned workloads to 0',
  shortName: 'Abandoned',
  description: `For ${IDLE_DAYS_MIN} days, every container used only as much CPU as health checks need.`,
  trigger: `For ${IDLE_DAYS_MIN} days, every container used at most ${IDLE_MILLICORES_MAX}m CPU, and at most ${percent(IDLE_SHARE_MAX)} of its CPU request.`,
  saving: 'Cost of the requests of its containers.',
  guards: [
    `${IDLE_DAYS_MIN} days with ${percent(IDLE_COVERAGE_MIN)} usage coverage are required: a weekly workload is not abandoned.`,
    'DaemonSets, StatefulSets and jobs are skipped.',
    'Another rule covers workloads with a GPU.',
    'Skipped: autoscaled workloads, workloads with plimsoll.dev/standby, and recent restarts.',
    'Traffic is not measured, so the confidence is low.',
    'The recommendation names load balancers that point to the workload. Their cost is not included.',
  ],
  needs: ['pods', 'prices', 'usage'],
  isAboutMoney: true,
  inPlan: { role: 'resize', verb: 'Scale', noun: ['abandoned workload to 0', 'abandoned workloads to 0'] },
  proposesDeletion: true,
  judge: (facts) =>
    facts.workloads
      .filter((workload) => isAbandoned(facts, workload) && !holdsIdleGpu(facts, workload))
      .flatMap((workload) => judge(facts, workload)),
}

type Used = { container: ContainerFacts; usage: UsageFacts }

/** The content of the finding beside the workload. */
type Idle = {
  used: readonly Used[]
  price: NonNullable<WorkloadFacts['price']>
  balancers: readonly BalancerFacts[]
  maxMillicores: number
}

function judge(facts: ClusterFacts, workload: WorkloadFacts): Verdict[] {
  const { price } = workload
  if (price === null) return [noNodePrice(targetOf(workload))]
  const used = workload.containers.flatMap((container) =>
    container.usage ? [{ container, usage: container.usage }] : [],
  )
  const max = Math.max(...used.map(({ usage }) => maxMillicores(usage)))
  return [findingOf(workload, { used, price, balancers: balancersOf(facts, workload), maxMillicores: max })]
}

function findingOf(workload: WorkloadFacts, idle: Idle): Verdict {
  const { name } = workload
  const usd = idle.used.reduce(
    (sum, { container, usage }) => sum + heldUsd(workload, usage, specOf(container), idle.price),
    0,
  )
  const { fields, action } = stopWorkload(workload)
  return investigateFinding(workload, {
    title: `Scale ${name} to 0: idle for ${IDLE_DAYS_MIN} days`,
    summary: `Ask the owner whether ${name} is still needed. Scale it to 0, wait a week, then delete it.`,
    fields,
    ...(action ? { action } : {}),
    estimatedUsdPerMonth: usd,
    costUsdPerMonth: usd,
    risk: 'high',
    riskReasons: ['Traffic is not measured: the workload may still get rare requests'],
    confidence: 'low',
    removesPods: workload.replicas,
    basis: workload.containers.map((container) => basisOf(workload, container)).join(', '),
    checks: checksOf(idle),
    evidence: evidenceOf(workload, idle),
  })
}

function checksOf({ used, balancers, maxMillicores: max }: Idle): Check[] {
  const [first] = used
  return [
    passed(`At least ${IDLE_DAYS_MIN} days of data`, `${(first?.usage.historyDays ?? 0).toFixed(0)} days`),
    passed(
      `CPU usage at most ${IDLE_MILLICORES_MAX}m, and at most ${percent(IDLE_SHARE_MAX)} of the request`,
      `${max.toFixed(1)}m at most`,
    ),
    passed('Autoscaler and restarts', 'none'),
    passed('Standby annotation', 'none'),
    unchecked('Traffic', pointing(balancers) ?? 'not measured'),
  ]
}

function evidenceOf(workload: WorkloadFacts, { used, price, balancers, maxMillicores: max }: Idle): Evidence {
  const [first] = used
  return {
    ...(first ? usageEvidence(first.usage) : NO_EVIDENCE),
    prices: price.rows,
    savingLines: resourceLines(
      'requests of its pods',
      sumAmounts(
        used.map(({ container, usage }) =>
          timesAmount(heldAmount(usage, specOf(container)), podsPaid(workload, usage)),
        ),
      ),
      price,
    ),
    confidenceReasons: [`CPU usage never exceeded ${max.toFixed(1)}m in ${IDLE_DAYS_MIN} days.`],
    caveats: [
      'Traffic is not measured: the workload may be a standby or wait for rare events.',
      ...balancers.map(balancerCaveat),
    ],
    facts: {
      replicas: workload.replicas,
      max_cpu_millicores: Number(max.toFixed(1)),
      ...(balancers.length === 0 ? {} : { balancers: balancers.map(nameOf).join(', ') }),
    },
  }
}

const balancersOf = ({ balancers }: ClusterFacts, { namespace, kind, name }: WorkloadFacts) =>
  balancers.filter(({ workloads = [] }) => workloads.includes(workloadPath(namespace, kind, name)))

const nameOf = ({ namespace, name }: BalancerFacts) => `${namespace}/${name}`

const pointing = (balancers: readonly BalancerFacts[]) =>
  balancers.length === 0
    ? null
    : `not measured; ${count(balancers.length, 'load balancer points', 'load balancers point')} to it`

/** A load balancer may still receive traffic. Its cost ends only with the Service. */
function balancerCaveat(balancer: BalancerFacts): string {
  const { usdPerMonth, workloads = [] } = balancer
  const cost = usdPerMonth === null ? '' : ` (${showUsd(usdPerMonth)}/month, not included)`
  const points = `Load balancer ${nameOf(balancer)}${cost} sends traffic to this workload.`
  return workloads.length > 1 ? points : `${points} It has no other endpoints, so delete its Service too.`
}
