import { count } from '../../count.ts'
import { passed, percent } from '../checks.ts'
import type { AutoscalerFacts, ScalingHistory, WorkloadFacts } from '../facts/cluster-facts.ts'
import { noNodePrice, targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Change, type Check, type Verdict } from '../finding.ts'
import { requestedByPod, requestUsd, requestUsdOfPod } from '../savings/request-usd.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, timesAmount } from '../savings/saving-lines.ts'

const DAYS_MIN = 7
const AT_MIN_SHARE = 0.9
/** Two pods survive the loss of a node. */
const REPLICAS_KEPT = 2
/** Safety margin above the demand of the target. */
const ROOM = 1.2

export const hpaMinReplicasHigh: Rule = {
  id: 'hpa_min_replicas_high',
  category: 'scaling',
  title: 'Lower minReplicas of autoscalers',
  shortName: 'HPA minimum',
  description:
    'minReplicas keeps the HPA from scaling down further. Most of the time, more pods run than the target requires.',
  trigger: `For at least ${DAYS_MIN} days, the HPA ran at minReplicas for at least ${percent(AT_MIN_SHARE)} of the hours. CPU stayed below the target in the busiest of these hours.`,
  saving: `(minReplicas − replicas that the target requires, plus ${percent(ROOM - 1)}) × pod requests × share of the time.`,
  guards: [
    `At least ${REPLICAS_KEPT} pods stay.`,
    'Autoscalers on metrics other than CPU are skipped.',
    `${DAYS_MIN} days of data are required. The rule uses the busiest 10 % of the hours, not the mean.`,
    'Savings of right-sizing are not counted again.',
    'Withheld without a price.',
  ],
  needs: ['pods', 'prices', 'autoscalers'],
  isAboutMoney: true,
  inPlan: { role: 'resize', verb: 'Lower', noun: ['HPA minimum', 'HPA minimums'] },
  countsAfter: { scope: 'workload', rules: [] },
  judge: (facts) =>
    facts.workloads.flatMap((workload) => (workload.autoscaler ? judge(workload, workload.autoscaler) : [])),
}

function judge(workload: WorkloadFacts, scaler: AutoscalerFacts): Verdict[] {
  const { replicasMin, cpuTargetPercent, hasOtherMetrics = false, history = null } = scaler
  if (cpuTargetPercent === null || hasOtherMetrics || history === null || replicasMin <= REPLICAS_KEPT) return []
  if (history.days < DAYS_MIN || history.atMinShare < AT_MIN_SHARE) return []
  const wanted = Math.max(REPLICAS_KEPT, Math.ceil((replicasMin * history.cpuUsePercent * ROOM) / cpuTargetPercent))
  return wanted < replicasMin ? [findingOf(workload, scaler, history, wanted)] : []
}

const SCALERS = { hpa: 'HorizontalPodAutoscaler', keda: 'ScaledObject' } as const

const minimumOf = ({ kind }: AutoscalerFacts) => (kind === 'hpa' ? 'minReplicas' : 'minReplicaCount')

function findingOf(workload: WorkloadFacts, scaler: AutoscalerFacts, history: ScalingHistory, wanted: number): Verdict {
  const { name, kind, replicas, price } = workload
  const { replicasMin, cpuTargetPercent } = scaler
  const target = targetOf(workload)
  if (price === null) return noNodePrice(target)
  const gone = Math.min(replicasMin - wanted, replicas)
  return {
    kind: 'finding',
    target,
    title: `Lower ${minimumOf(scaler)} of ${name} from ${replicasMin} to ${wanted}`,
    podName: workload.podName,
    workload: { kind, name, container: '' },
    currentSpec: null,
    recommendedSpec: null,
    change: changeOf(workload, scaler, wanted),
    estimatedUsdPerMonth: requestUsdOfPod(workload) * gone * history.atMinShare,
    bankableUsdPerMonth: null,
    costUsdPerMonth: requestUsd(workload),
    risk: 'medium',
    riskReasons: ['Rare peaks may not be in the data'],
    confidence: 'medium',
    isUrgent: false,
    // Above the minimum, the current pods are not the ones that would be removed.
    ...(replicas <= replicasMin ? { removesPods: gone } : {}),
    basis: `${replicasMin} ${cpuTargetPercent ?? ''}`,
    checks: checksOf(scaler, history, wanted),
    evidence: {
      ...NO_EVIDENCE,
      prices: price.rows,
      savingLines: resourceLines(
        `of ${count(gone, 'removed pod')}, ${percent(history.atMinShare)} of the time`,
        timesAmount(requestedByPod(workload), gone * history.atMinShare),
        price,
      ),
      ...explain(workload, scaler, history),
    },
  }
}

function changeOf({ name, namespace }: WorkloadFacts, scaler: AutoscalerFacts, wanted: number): Change {
  const { replicasMin } = scaler
  return {
    action: 'reconfigure',
    object: { kind: SCALERS[scaler.kind], namespace, name: scaler.name, container: '' },
    summary: `Lower ${minimumOf(scaler)} of the ${SCALERS[scaler.kind]} of ${name} from ${replicasMin} to ${wanted}.`,
    fields: [
      {
        path: `spec.${minimumOf(scaler)}`,
        from: String(replicasMin),
        to: String(wanted),
      },
    ],
  }
}

function checksOf({ cpuTargetPercent }: AutoscalerFacts, history: ScalingHistory, wanted: number): Check[] {
  return [
    passed(`At least ${DAYS_MIN} days of data`, `${history.days} days`),
    passed(`At its minimum in at least ${percent(AT_MIN_SHARE)} of the hours`, percent(history.atMinShare)),
    passed('The autoscaler uses CPU only', `target ${cpuTargetPercent ?? 0} %`),
    passed('The busiest hours stay below the target', `${Math.round(history.cpuUsePercent)} % of the request`),
    passed(`At least ${REPLICAS_KEPT} pods stay`, `${wanted} pods`),
  ]
}

function explain(
  { replicas }: WorkloadFacts,
  { replicasMin, cpuTargetPercent }: AutoscalerFacts,
  history: ScalingHistory,
) {
  return {
    confidenceReasons: [
      `The autoscaler was at its minimum for ${percent(history.atMinShare)} of ${history.days} days.`,
    ],
    caveats: ['Monthly or yearly peaks may not be in these days.'],
    facts: {
      replicas,
      replicas_min: replicasMin,
      cpu_target_percent: cpuTargetPercent ?? 0,
      cpu_use_percent: Math.round(history.cpuUsePercent),
      days: history.days,
    },
  }
}
