import { count } from '../count.ts'
import type { ClusterFacts, StuckPod, WorkloadFacts } from './cluster-facts.ts'
import { passed } from './checks.ts'
import { noNodePrice, targetOf } from './container-rule.ts'
import { NO_EVIDENCE, type Verdict } from './finding.ts'
import type { Rule } from './rule.ts'
import { resourceLines, sumAmounts } from './saving-lines.ts'

/** Within the first hour it may still be starting. */
export const SECONDS_STUCK_MIN = 3600

export const failedPodsHolding: Rule = {
  id: 'failed_pods_holding',
  category: 'idle',
  title: 'Scheduled pods that never start hold their requests',
  description:
    'A pod that was placed on a node and cannot pull its image or start keeps its CPU and memory reserved: it is paid for and does nothing.',
  trigger: 'A pod has been scheduled for an hour and still does not run.',
  saving: 'What its requests cost.',
  guards: ['Within the first hour it may still be starting.', 'Without a price for its node it is withheld.'],
  needs: ['pods', 'pod_phases', 'prices'],
  isAboutMoney: true,
  judge: (facts) => facts.workloads.flatMap((workload) => judge(facts, workload)),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts): Verdict[] {
  const stuck = workload.stuckPods.filter(({ since }) => facts.observedAt - since >= SECONDS_STUCK_MIN)
  const [first] = [...stuck].sort((a, b) => a.since - b.since)
  if (!first) return []
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

const sum = (pods: readonly StuckPod[], of: (pod: StuckPod) => number) =>
  pods.reduce((total, pod) => total + of(pod), 0)
