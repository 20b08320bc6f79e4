import { stopWorkload } from '../stop-workload.ts'
import { count } from '../../count.ts'
import { passed, unchecked, percent } from '../checks.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { basisOf, noNodePrice, targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { FEEDING_MILLICORES_MIN, holdsIdleGpu, IDLE_DAYS_MIN, IDLE_COVERAGE_MIN } from '../facts/idle-workload.ts'
import { dollars } from '../object-finding.ts'
import { requestedBy, requestUsd } from '../savings/request-usd.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice, resourceLines, sourceIn } from '../savings/saving-lines.ts'
import { maxMillicores } from '../facts/max-millicores.ts'
import { usageEvidence } from '../sizing/size-evidence.ts'
import { investigateFinding } from '../investigate-finding.ts'

export const gpuIdle: Rule = {
  id: 'gpu_idle',
  category: 'gpu',
  title: 'Release idle GPUs',
  shortName: 'Idle GPU',
  description: 'A pod reserves its GPU until the pod ends. The GPU often costs more than the rest of the node.',
  trigger: `All containers of a GPU workload stayed below ${FEEDING_MILLICORES_MIN}m CPU for ${IDLE_DAYS_MIN} days. This is too little CPU to keep a GPU busy.`,
  saving: 'The price of the GPUs, and of the CPU and memory requests of the pods.',
  guards: [
    'GPU utilization is not reported; idleness is derived from CPU usage.',
    `${IDLE_DAYS_MIN} days with ${percent(IDLE_COVERAGE_MIN)} usage coverage are required: training that pauses for days is not idle.`,
    'Skipped: jobs, DaemonSets, autoscaled workloads, and workloads with plimsoll.dev/standby.',
    'Withheld without a GPU price.',
  ],
  needs: ['pods', 'prices', 'usage'],
  isAboutMoney: true,
  inPlan: { role: 'remove', verb: 'Remove', noun: ['idle GPU workload', 'idle GPU workloads'] },
  proposesDeletion: true,
  judge: (facts) => facts.workloads.filter((workload) => holdsIdleGpu(facts, workload)).map(judge),
}

function judge(workload: WorkloadFacts): Verdict {
  const { name, price, gpu } = workload
  const target = targetOf(workload)
  if (price === null || gpu?.usdPerMonth == null) return noNodePrice(target)
  const usd = gpu.usdPerMonth + requestUsd(workload)
  const used = workload.containers.flatMap(({ usage }) => usage ?? [])
  const max = Math.max(0, ...used.map(maxMillicores))
  const held = count(gpu.count, 'GPU')
  const [first] = used
  const { fields, action } = stopWorkload(workload)
  return investigateFinding(workload, {
    title: `Release ${held} of ${name}: no CPU activity in ${IDLE_DAYS_MIN} days`,
    summary: `Ask the owner whether ${name} is still needed. Scale it to 0 to release ${held}.`,
    fields,
    ...(action ? { action } : {}),
    estimatedUsdPerMonth: usd,
    costUsdPerMonth: usd,
    risk: 'medium',
    riskReasons: ['GPU work with very little CPU is not detected'],
    confidence: 'medium',
    removesPods: workload.replicas,
    basis: workload.containers.map((container) => basisOf(workload, container)).join(', '),
    checks: [
      passed(`At least ${IDLE_DAYS_MIN} days of data`, `${(first?.historyDays ?? 0).toFixed(0)} days`),
      passed(`CPU usage below ${FEEDING_MILLICORES_MIN}m`, `${max.toFixed(1)}m at most`),
      passed('Autoscaler and standby annotation', 'none'),
      unchecked('GPU utilization', 'not reported'),
    ],
    evidence: {
      ...(first ? usageEvidence(first) : NO_EVIDENCE),
      prices: price.rows,
      savingLines: [
        lineOf(held, gpu.count, { ...monthlyPrice(gpu.usdPerMonth / gpu.count, 'GPU'), ...sourceIn(price.rows) }),
        ...resourceLines('requests of its pods', requestedBy(workload), price),
      ],
      confidenceReasons: [
        `CPU usage never exceeded ${max.toFixed(1)}m in ${IDLE_DAYS_MIN} days: too little CPU to keep a GPU busy.`,
      ],
      caveats: [
        'GPU utilization is not reported. Plimsoll cannot detect GPU jobs that use very little CPU.',
        'Data in memory is lost when the pod ends; data on volumes stays.',
      ],
      facts: {
        gpus: gpu.count,
        gpu_usd_per_month: dollars(gpu.usdPerMonth),
        max_cpu_millicores: Number(max.toFixed(1)),
        replicas: workload.replicas,
      },
    },
  })
}
