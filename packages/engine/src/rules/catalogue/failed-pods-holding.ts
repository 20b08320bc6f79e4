import { count, grouped } from '../../count.ts'
import { SECONDS_STUCK_MIN, type ClusterFacts, type StuckPod, type WorkloadFacts } from '../facts/cluster-facts.ts'
import { passed } from '../checks.ts'
import { noNodePrice, targetOf } from '../container-finding.ts'
import { findCrashLoop, RESTARTS_A_POD_MIN } from '../facts/crash-loop.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { requestedByPod, requestUsdOfPod } from '../savings/request-usd.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, sumAmounts, timesAmount } from '../savings/saving-lines.ts'

export const failedPodsHolding: Rule = {
  id: 'failed_pods_holding',
  category: 'idle',
  title: 'Scheduled pods that do not start or crash over and over hold their requests',
  shortName: 'Failed pods',
  description:
    'A pod that was placed on a node and cannot pull its image, does not start, or crashes each time it does, keeps its CPU and memory reserved: it is paid for and does nothing.',
  trigger:
    'A pod has been scheduled for an hour and still does not run, or a container was restarted in the last day as often as in a crash loop: at least 96 times, and 48 times for each of its pods.',
  saving: 'What the requests of these pods cost; of a crash loop, of as many pods as must be in it at least.',
  guards: [
    'Within the first hour it may still be starting.',
    'What has crashed for less than a day, or ends and is started again every hour, is no crash loop; jobs are left out.',
    'Restarts are known where the use of containers is.',
    'Without a price for its node it is withheld.',
  ],
  needs: ['pods', 'pod_phases', 'prices'],
  isAboutMoney: true,
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
    {
      kind: 'finding',
      target,
      title: `${stuck.length === 1 ? 'A pod' : `${stuck.length} pods`} of ${workload.name} hold${stuck.length === 1 ? 's' : ''} resources without running`,
      podName: first.name,
      workload: { kind: workload.kind, name: workload.name, container: '' },
      currentSpec: null,
      recommendedSpec: null,
      change: {
        action: 'investigate',
        object: target,
        summary: `Find out why ${first.name} does not start (image, volumes, start-up), repair it or scale it down.`,
        fields: [],
      },
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: null,
      costUsdPerMonth: usd,
      risk: 'low',
      confidence: 'high',
      isUrgent: false,
      removesPods: stuck.map(({ name }) => name),
      basis: `stuck since ${first.since}`,
      checks: [
        passed('It has waited for longer than starting takes, an hour', count(hours, 'hour')),
        passed('Its pods hold what they ask for', count(stuck.length, 'pod is', 'pods are') + ' placed on nodes'),
      ],
      evidence: {
        ...NO_EVIDENCE,
        prices: rows,
        savingLines: resourceLines(
          `that ${count(stuck.length, 'pod holds', 'pods hold')}`,
          sumAmounts(stuck),
          workload.price,
        ),
        confidenceReasons: [`The oldest has been waiting for ${hours} hours.`],
        caveats: ['It may be about to start.'],
        facts: { pods: stuck.length, hours_stuck: hours, oldest_pod: first.name },
      },
    },
  ]
}

function judgeLoop(workload: WorkloadFacts): Verdict[] {
  const loop = findCrashLoop(workload)
  if (loop === null) return []
  const target = targetOf(workload)
  const { price, name, kind, replicas } = workload
  if (price === null) return [noNodePrice(target)]
  const { container, restarts, pods } = loop
  const usd = requestUsdOfPod(workload) * pods
  const perPod = Math.round(restarts / replicas)
  return [
    {
      kind: 'finding',
      target,
      title: `Container ${container} of ${name} crashes over and over`,
      podName: workload.podName,
      workload: { kind, name, container: '' },
      currentSpec: null,
      recommendedSpec: null,
      change: {
        action: 'investigate',
        object: target,
        summary: `Find out why container ${container} of ${name} ends each time it is started (its log and exit code say), repair it, or scale ${name} to 0 until somebody does.`,
        fields: [],
      },
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: null,
      costUsdPerMonth: requestUsdOfPod(workload) * replicas,
      risk: 'low',
      confidence: 'medium',
      isUrgent: false,
      removesPods: pods,
      basis: `crash loop of ${container}`,
      checks: [
        passed(`At least ${RESTARTS_A_POD_MIN} restarts of each pod in a day`, `${perPod} on average`),
        passed('Its pods hold what they ask for', count(replicas, 'pod is', 'pods are') + ' placed on nodes'),
      ],
      evidence: {
        ...NO_EVIDENCE,
        prices: price.rows,
        savingLines: resourceLines(
          `that ${count(pods, 'pod holds', 'pods hold')}`,
          timesAmount(requestedByPod(workload), pods),
          price,
        ),
        confidenceReasons: [
          `It was restarted ${grouped(restarts)} times in the last day, and a pod in a crash loop is at most 288 times: at least ${count(pods, 'pod', 'pods')} of ${replicas} must be in one.`,
        ],
        caveats: [
          'Once it is repaired it needs what it asks for: then nothing leaves the bill, but what is paid for does something.',
          'Which of its pods crash is not told apart.',
        ],
        facts: { restarts_last_day: restarts, pods, replicas, container },
      },
    },
  ]
}

const sum = (pods: readonly StuckPod[], of: (pod: StuckPod) => number) =>
  pods.reduce((total, pod) => total + of(pod), 0)
