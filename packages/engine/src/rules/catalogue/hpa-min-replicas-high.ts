import { count } from '../../count.ts'
import { passed, percent } from '../checks.ts'
import type { AutoscalerFacts, ScalingHistory, WorkloadFacts } from '../facts/cluster-facts.ts'
import { noNodePrice, targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { requestedByPod, requestUsd, requestUsdOfPod } from '../savings/request-usd.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, timesAmount } from '../savings/saving-lines.ts'

const DAYS_MIN = 7
const AT_MIN_SHARE = 0.9
/** Two survive the loss of a node. */
const REPLICAS_KEPT = 2
/** Room above what the target asks for. */
const ROOM = 1.2

export const hpaMinReplicasHigh: Rule = {
  id: 'hpa_min_replicas_high',
  category: 'scaling',
  title: 'Autoscalers that sit at a minimum that is too high',
  shortName: 'HPA minimum',
  description:
    'The autoscaler would go lower, but its minimum does not let it: nearly all the time there are more pods than its own target asks for.',
  trigger:
    'In more than 90 % of the hours of a week or more there were no more pods than the minimum, and even the busiest of these hours used less than the target.',
  saving: '(minimum − what the target asks for, with a fifth of room) × what a pod requests × share of the time.',
  guards: [
    'Two pods are always kept.',
    'An autoscaler that looks at other metrics than CPU is left out: what they ask for is not known.',
    'A week has to be known; the busiest tenth of the hours counts, so that a busy day is not averaged away.',
    'What right-sizing takes away first is not saved a second time.',
    'Without a price it is withheld.',
  ],
  needs: ['pods', 'prices', 'autoscalers'],
  isAboutMoney: true,
  countsAfter: { scope: 'workload', rules: [] },
  judge: (facts) =>
    facts.workloads.flatMap((workload) => (workload.autoscaler ? judge(workload, workload.autoscaler) : [])),
}

function judge(workload: WorkloadFacts, scaler: AutoscalerFacts): Verdict[] {
  const { replicasMin, cpuTargetPercent, hasOtherMetrics = false, history = null } = scaler
  if (cpuTargetPercent === null || hasOtherMetrics || history === null || replicasMin <= REPLICAS_KEPT) return []
  if (history.days < DAYS_MIN || history.atMinShare < AT_MIN_SHARE) return []
  const wanted = Math.max(REPLICAS_KEPT, Math.ceil((replicasMin * history.cpuUsePercent * ROOM) / cpuTargetPercent))
  return wanted < replicasMin ? [tell(workload, scaler, history, wanted)] : []
}

const SCALERS = { hpa: 'HorizontalPodAutoscaler', keda: 'ScaledObject' } as const

function tell(workload: WorkloadFacts, scaler: AutoscalerFacts, history: ScalingHistory, wanted: number): Verdict {
  const { name, kind, replicas, price } = workload
  const { replicasMin, cpuTargetPercent } = scaler
  const target = targetOf(workload)
  if (price === null) return noNodePrice(target)
  const gone = Math.min(replicasMin - wanted, replicas)
  return {
    kind: 'finding',
    target,
    title: `The autoscaler of ${name} may not go below ${replicasMin} pods, and ${wanted} would do`,
    podName: workload.podName,
    workload: { kind, name, container: '' },
    currentSpec: null,
    recommendedSpec: null,
    change: {
      action: 'reconfigure',
      object: { kind: SCALERS[scaler.kind], namespace: target.namespace, name: scaler.name, container: '' },
      summary: `Lower the minimum of the autoscaler of ${name} from ${replicasMin} to ${wanted} pods.`,
      fields: [
        {
          path: scaler.kind === 'hpa' ? 'spec.minReplicas' : 'spec.minReplicaCount',
          from: String(replicasMin),
          to: String(wanted),
        },
      ],
    },
    estimatedUsdPerMonth: requestUsdOfPod(workload) * gone * history.atMinShare,
    bankableUsdPerMonth: null,
    costUsdPerMonth: requestUsd(workload),
    risk: 'medium',
    confidence: 'medium',
    isUrgent: false,
    // At another moment it has more pods than the minimum, and those are not the ones that would go.
    ...(replicas <= replicasMin ? { removesPods: gone } : {}),
    basis: `${replicasMin} ${cpuTargetPercent ?? ''}`,
    checks: [
      passed(`At least ${DAYS_MIN} days are known`, `${history.days} days`),
      passed(`At its minimum in ${percent(AT_MIN_SHARE)} of the hours`, percent(history.atMinShare)),
      passed('It looks at CPU only', `target ${cpuTargetPercent ?? 0} %`),
      passed('Even the busiest hours stay below the target', `${Math.round(history.cpuUsePercent)} % of the request`),
      passed(`At least ${REPLICAS_KEPT} pods stay`, `${wanted} pods`),
    ],
    evidence: {
      ...NO_EVIDENCE,
      prices: price.rows,
      savingLines: resourceLines(
        `of ${count(gone, 'pod')} that would go, ${percent(history.atMinShare)} of the time`,
        timesAmount(requestedByPod(workload), gone * history.atMinShare),
        price,
      ),
      confidenceReasons: [
        `It was at its minimum in ${Math.round(100 * history.atMinShare)} % of ${history.days} days.`,
      ],
      caveats: ['What comes once a month or once a year may not be in these days.'],
      facts: {
        replicas,
        replicas_min: replicasMin,
        cpu_target_percent: cpuTargetPercent ?? 0,
        cpu_use_percent: Math.round(history.cpuUsePercent),
        days: history.days,
      },
    },
  }
}
