import { count } from '../../count.ts'
import { passed, unchecked } from '../checks.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { basisOf, noNodePrice, targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { FEEDING_MILLICORES_MIN, holdsIdleGpu, IDLE_DAYS_MIN } from '../facts/idle-workload.ts'
import { dollars } from '../object-finding.ts'
import { requestedBy, requestUsd } from '../savings/request-usd.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice, resourceLines, sourceIn } from '../savings/saving-lines.ts'
import { maxMillicores, usageEvidence } from '../sizing/size-evidence.ts'

export const gpuIdle: Rule = {
  id: 'gpu_idle',
  category: 'gpu',
  title: 'GPUs that are held and not used',
  shortName: 'Idle GPU',
  description:
    'A GPU belongs to one pod as long as the pod lives, and costs more than everything else on its node. What holds one and has done nothing for two weeks should give it back.',
  trigger:
    'In 14 days no minute of any container of a workload with GPUs used more than 20 millicores of CPU: nothing can have fed the GPU.',
  saving: 'What its GPUs cost, and the CPU and memory that its pods ask for.',
  guards: [
    'How GPUs are used is not reported; that nothing feeds them follows from the CPU.',
    'Two weeks have to be known, nine tenths of them: training that pauses for days is not idle.',
    'Jobs and DaemonSets are left out; so is what is scaled or marked with plimsoll.dev/standby.',
    'Without a price for its GPUs it is withheld.',
  ],
  needs: ['pods', 'prices', 'usage'],
  isAboutMoney: true,
  asksToDelete: true,
  judge: (facts) => facts.workloads.filter((workload) => holdsIdleGpu(facts, workload)).map(judge),
}

function judge(workload: WorkloadFacts): Verdict {
  const { name, kind, price, gpu } = workload
  const target = targetOf(workload)
  if (price === null || gpu?.usdPerMonth == null) return noNodePrice(target)
  const usd = gpu.usdPerMonth + requestUsd(workload)
  const used = workload.containers.flatMap(({ usage }) => usage ?? [])
  const max = Math.max(0, ...used.map(maxMillicores))
  const held = count(gpu.count, 'GPU')
  const [first] = used
  return {
    kind: 'finding',
    target,
    title: `${name} holds ${held} and has used almost no CPU for two weeks`,
    podName: workload.podName,
    workload: { kind, name, container: '' },
    currentSpec: null,
    recommendedSpec: null,
    change: {
      action: 'investigate',
      object: target,
      summary: `Release the ${held} of ${name}: ask whether it is still needed, and scale it to 0 until somebody works with it.`,
      fields: [],
    },
    estimatedUsdPerMonth: usd,
    bankableUsdPerMonth: null,
    costUsdPerMonth: usd,
    risk: 'medium',
    confidence: 'medium',
    isUrgent: false,
    removesPods: workload.replicas,
    basis: workload.containers.map((container) => basisOf(workload, container)).join(', '),
    checks: [
      passed(`At least ${IDLE_DAYS_MIN} days are known`, `${(first?.historyDays ?? 0).toFixed(0)} days`),
      passed(`Never as much as ${FEEDING_MILLICORES_MIN} millicores of CPU`, `${max.toFixed(1)} millicores at most`),
      passed('Nothing scales it, and it is no standby', 'no autoscaler, no mark'),
      unchecked('The GPU computes nothing', 'how GPUs are used is not reported'),
    ],
    evidence: {
      ...(first ? usageEvidence(first) : NO_EVIDENCE),
      prices: price.rows,
      savingLines: [
        lineOf(held, gpu.count, { ...monthlyPrice(gpu.usdPerMonth / gpu.count, 'GPU'), ...sourceIn(price.rows) }),
        ...resourceLines('that its pods ask for', requestedBy(workload), price),
      ],
      confidenceReasons: [
        `In two weeks it never used more than ${max.toFixed(1)} millicores, which is too little to feed a GPU.`,
      ],
      caveats: [
        'How GPUs are used is not reported: one that computes without any CPU would not be seen.',
        'Somebody may want to go on where they stopped: what is in memory is lost, what is on volumes stays.',
      ],
      facts: {
        gpus: gpu.count,
        gpu_usd_per_month: dollars(gpu.usdPerMonth),
        max_cpu_millicores: Number(max.toFixed(1)),
        replicas: workload.replicas,
      },
    },
  }
}
