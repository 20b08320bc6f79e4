import { count, grouped } from '../../count.ts'
import { SECONDS_STUCK_MIN, type ClusterFacts, type StuckPod, type WorkloadFacts } from '../facts/cluster-facts.ts'
import { passed } from '../checks.ts'
import { noNodePrice, targetOf, containerLabel } from '../container-finding.ts'
import { findCrashLoop, RESTARTS_A_POD_MIN, RESTARTS_A_DAY_MIN, RESTARTS_A_DAY_MAX } from '../facts/crash-loop.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { requestedByPod, requestUsdOfPod } from '../savings/request-usd.ts'
import type { PlanPart, Rule } from '../rule.ts'
import { resourceLines, sumAmounts, timesAmount } from '../savings/saving-lines.ts'
import { investigateFinding } from '../investigate-finding.ts'

/** The basis of a finding about a crash loop starts with this. */
const CRASH_LOOP = 'crash loop of '

/** After the fix the pods need their requests again, so a crash loop frees nothing. */
const FIXES: PlanPart = { role: 'protect', verb: 'Fix', noun: ['crash loop', 'crash loops'] }
const REMOVES: PlanPart = {
  role: 'resize',
  verb: 'Fix or remove',
  noun: ['workload that does not start', 'workloads that do not start'],
}

export const failedPodsHolding: Rule = {
  id: 'failed_pods_holding',
  category: 'idle',
  title: 'Fix or remove pods that reserve capacity but do not run',
  shortName: 'Failed pods',
  description:
    'A scheduled pod that cannot start, or is in CrashLoopBackOff, keeps its requests reserved and does no work.',
  trigger: `A scheduled pod has not started within ${SECONDS_STUCK_MIN / 3600} hour. Or a container restarted at least ${RESTARTS_A_DAY_MIN} times in a day, and at least ${RESTARTS_A_POD_MIN} times per pod on average.`,
  saving: 'The cost of the requests of these pods. For a crash loop, the number of crashing pods is estimated.',
  guards: [
    'In its first hour a pod may still be starting.',
    'A container that restarts every hour, or has crashed for less than a day, is not in a crash loop. Jobs are skipped.',
    'Restart counts require a usage source.',
    'Withheld without a price for the node.',
  ],
  needs: ['pods', 'pod_phases', 'prices'],
  isAboutMoney: true,
  inPlan: ({ basis }) => (basis.startsWith(CRASH_LOOP) ? FIXES : REMOVES),
  failure: { kind: 'crash_looping', basis: CRASH_LOOP },
  judge: (facts) => facts.workloads.flatMap((workload) => judge(facts, workload)),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts): Verdict[] {
  const stuck = workload.stuckPods.filter(({ since }) => facts.observedAt - since >= SECONDS_STUCK_MIN)
  const [first] = [...stuck].sort((a, b) => a.since - b.since)
  return first ? judgeStuck(facts, workload, stuck, first) : judgeLoop(workload)
}

function judgeStuck(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  stuck: readonly StuckPod[],
  first: StuckPod,
): Verdict[] {
  const target = targetOf(workload)
  if (workload.price === null) return [noNodePrice(target)]
  const { cpuUsdPerMillicoreMonth: cpu, memoryUsdPerKibMonth: memory, rows } = workload.price
  const usd = sum(stuck, (pod) => pod.cpuMillicores * cpu + pod.memoryKib * memory)
  const hours = Math.floor((facts.observedAt - first.since) / 3600)
  return [
    investigateFinding(workload, {
      title: `Fix or remove ${count(stuck.length, 'pod')} of ${workload.name} that ${stuck.length === 1 ? 'does' : 'do'} not start`,
      podName: first.name,
      summary: `Check why pod ${first.name} does not start (image, volumes, start-up). Fix it, or scale ${workload.name} down.`,
      action: { kind: 'inspect_pods', pod: first.name, container: '' },
      estimatedUsdPerMonth: usd,
      costUsdPerMonth: usd,
      risk: 'low',
      confidence: 'high',
      removesPods: stuck.map(({ name }) => name),
      basis: `stuck since ${first.since}`,
      checks: [
        passed('The pod has waited for more than an hour', count(hours, 'hour')),
        passed('The pods reserve capacity', count(stuck.length, 'pod is', 'pods are') + ' placed on nodes'),
      ],
      evidence: {
        ...NO_EVIDENCE,
        prices: rows,
        savingLines: resourceLines(`reserved by ${count(stuck.length, 'pod')}`, sumAmounts(stuck), workload.price),
        confidenceReasons: [`The oldest pod has waited for ${hours} hours.`],
        caveats: ['The pod may be about to start.'],
        facts: { pods: stuck.length, hours_stuck: hours, oldest_pod: first.name },
      },
    }),
  ]
}

function judgeLoop(workload: WorkloadFacts): Verdict[] {
  const loop = findCrashLoop(workload)
  if (loop === null) return []
  const target = targetOf(workload)
  const { price, name, replicas } = workload
  if (price === null) return [noNodePrice(target)]
  const { container, restarts, pods } = loop
  const usd = requestUsdOfPod(workload) * pods
  const perPod = Math.round(restarts / replicas)
  return [
    investigateFinding(workload, {
      title: `Fix CrashLoopBackOff of ${containerLabel({ name }, { name: container })}: its pods reserve capacity but do not run`,
      summary: `Check the logs and the exit code of container ${containerLabel({ name }, { name: container })}. Fix the container, or scale ${name} to 0 until it is fixed.`,
      action: { kind: 'inspect_pods', pod: workload.podName, container },
      estimatedUsdPerMonth: usd,
      costUsdPerMonth: requestUsdOfPod(workload) * replicas,
      risk: 'low',
      confidence: 'medium',
      removesPods: pods,
      basis: `${CRASH_LOOP}${container}`,
      checks: [
        passed(`At least ${RESTARTS_A_POD_MIN} restarts per pod in a day`, `${perPod} on average`),
        passed('The pods reserve capacity', count(replicas, 'pod is', 'pods are') + ' placed on nodes'),
      ],
      evidence: {
        ...NO_EVIDENCE,
        prices: price.rows,
        savingLines: resourceLines(
          `requests of ${count(pods, 'pod')}`,
          timesAmount(requestedByPod(workload), pods),
          price,
        ),
        confidenceReasons: [
          `The container restarted ${grouped(restarts)} times in the last day. A pod in CrashLoopBackOff restarts at most ${RESTARTS_A_DAY_MAX} times per day, so ${crashing(pods, replicas)}.`,
        ],
        caveats: [
          'Savings apply only if you scale the workload to 0. If you fix the container, its pods need their requests.',
          ...(pods < replicas ? ['Plimsoll does not know which of the pods crash.'] : []),
        ],
        facts: { restarts_last_day: restarts, pods, replicas, container },
      },
    }),
  ]
}

const crashing = (pods: number, replicas: number) =>
  pods < replicas ? `at least ${pods} of ${replicas} pods crash` : count(pods, 'pod crashes', 'pods crash')

const sum = (pods: readonly StuckPod[], of: (pod: StuckPod) => number) =>
  pods.reduce((total, pod) => total + of(pod), 0)
