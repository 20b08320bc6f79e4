import { count } from '../../count.ts'
import { passed, percent, showKib } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, noNodePrice, specOf, targetOf, sizeTitle } from '../container-finding.ts'
import { withFloors } from '../sizing/floors.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { policyOf } from '../facts/policy.ts'
import { rolloutCaveats, rolloutReasons, rolloutRisk } from '../sizing/rollout.ts'
import { containerOverprovisioned } from './container-overprovisioned.ts'
import type { Rule } from '../rule.ts'
import { resourceLines } from '../savings/saving-lines.ts'

/** Memory of a JVM outside its heap: threads, classes, buffers. */
const BESIDE_HEAP = 1.25
/** A smaller excess than this is close enough. */
const TOO_MUCH = 1.25

export const jvmHeapMismatch: Rule = {
  id: 'jvm_heap_mismatch',
  category: 'cpu_memory',
  title: 'Match memory requests to the JVM heap',
  shortName: 'Heap mismatch',
  description: `A JVM uses its heap plus about ${percent(BESIDE_HEAP - 1)}, independent of the memory request. A larger request is wasted; a smaller one leads to OOM kills.`,
  trigger: `The memory request is below the maximum heap, or above ${TOO_MUCH} × (heap + ${percent(BESIDE_HEAP - 1)}).`,
  saving: 'Request reduction × replicas × memory price. Negative if the request increases.',
  guards: [
    'The agent reports the heap only with readHeaps=true in its chart values.',
    `The proposal is at least heap + ${percent(BESIDE_HEAP - 1)} and the minimum request, and at most the memory limit.`,
    'Jobs are skipped.',
    'Withheld without a price.',
  ],
  needs: ['pods', 'prices', 'heaps'],
  isAboutMoney: false,
  inPlan: { role: 'resize', verb: 'Change', noun: ['memory request', 'memory requests'] },
  countsAfter: { scope: 'target', rules: [containerOverprovisioned], keeps: 'rest' },
  judge: (facts) =>
    facts.workloads
      .filter(({ kind, replicas }) => replicas > 0 && kind !== 'Job' && kind !== 'CronJob')
      .flatMap((workload) =>
        workload.containers
          .filter(({ kind }) => kind !== 'init')
          .flatMap((container) => judge(facts, workload, container)),
      ),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict[] {
  const { heapMaxKib: heap, memoryRequestKib: request, memoryLimitKib: limit } = container
  if (heap === null || request === null) return []
  const needed = heap * BESIDE_HEAP
  const isTooSmall = request < heap
  if (!isTooSmall && request <= needed * TOO_MUCH) return []
  const target = targetOf(workload, container.name)
  if (workload.price === null) return [noNodePrice(target)]
  const current = specOf(container)
  const wanted = withFloors(workload, policyOf(facts.policies, workload.namespace), { ...current, memoryKib: needed })
  const memoryKib = Math.min(wanted.memoryKib ?? request, limit ?? Infinity)
  if (memoryKib === request || isTooSmall !== memoryKib > request) return []
  const recommended = { cpuMillicores: current.cpuMillicores, memoryKib }
  const change = changeRequests('set_requests', target, { from: current, to: recommended })
  const usdOf = (kib: number) => workload.replicas * kib * (workload.price?.memoryUsdPerKibMonth ?? 0)
  return [
    {
      ...aboutContainer(workload, container),
      title: sizeTitle(change, workload, container),
      recommendedSpec: recommended,
      change,
      estimatedUsdPerMonth: usdOf(request - memoryKib),
      costUsdPerMonth: usdOf(request),
      risk: isTooSmall ? rolloutRisk(workload) : 'medium',
      riskReasons: isTooSmall ? rolloutReasons(workload) : ['Memory outside the heap can need more'],
      confidence: 'medium',
      checks: [
        passed('The heap is known', showKib(heap)),
        passed(`At least heap + ${percent(BESIDE_HEAP - 1)}, unless the limit is lower`, showKib(memoryKib)),
        passed('Not above the memory limit', limit === null ? 'no limit' : showKib(limit)),
      ],
      evidence: {
        ...NO_EVIDENCE,
        prices: workload.price.rows,
        savingLines: resourceLines(
          `of ${count(workload.replicas, 'pod')}`,
          { cpuMillicores: 0, memoryKib: workload.replicas * (request - memoryKib) },
          workload.price,
        ),
        confidenceReasons: ['The maximum heap is reported.'],
        caveats: [
          'Programs with many threads or large buffers need more memory outside the heap.',
          ...rolloutCaveats(workload),
        ],
        facts: { heap_max_kib: heap, memory_request_kib: request, replicas: workload.replicas },
      },
    },
  ]
}
