import { CPU_UNITS_PER_MILLICORE, edgeOf } from '../../rightsizing/histogram.ts'
import { passed, showKib } from '../checks.ts'
import { describeMillicores } from '../../units.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts, WorkloadPrice } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, noNodePrice, specOf, targetOf, withFloors } from '../container-finding.ts'
import type { Check, ContainerSpec, Finding, Verdict } from '../finding.ts'
import { isJob } from '../facts/judgeable.ts'
import { markedHeap } from '../facts/annotations.ts'
import { policyOf } from '../facts/policy.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, timesAmount } from '../savings/saving-lines.ts'
import { usageEvidence } from '../sizing/size-evidence.ts'

const RUNS_MIN = 5
/** Well above what any run has used. */
const MARGIN = 1.2
/** Less than this part of the request is to go: then it is close enough. */
const LOWER_MIN = 0.3

export const jobOverprovisioned: Rule = {
  id: 'job_overprovisioned',
  category: 'cpu_memory',
  title: 'Jobs that ask for more than any run has used',
  shortName: 'Job over-provisioned',
  description:
    'The runs of a job resemble one another. If none of them came near to what is asked for, the next one can do with less, and more of them fit on a node.',
  trigger: 'Five or more runs in two weeks, and a request that is far above the most that any of them has used.',
  saving: 'The difference × price × the hours that runs take in a month.',
  guards: [
    'The proposal is the most that any run has used, starts included, and a fifth more.',
    'With fewer runs, after an out-of-memory kill in one of them, or where others manage its requests: nothing is said.',
    'A Java machine keeps its memory; floors of the policy, the marks and the LimitRange hold.',
    'What costs less than min_savings is not shown: most jobs run for minutes.',
  ],
  needs: ['pods', 'prices', 'usage', 'oom_kills'],
  isAboutMoney: true,
  isRightSizing: true,
  judge: (facts) =>
    facts.workloads
      .filter(isJob)
      .flatMap((workload) =>
        workload.containers
          .filter(({ kind, managedBy }) => kind === 'app' && managedBy === null)
          .flatMap((container) => judge(facts, workload, container)),
      ),
}

function judge(facts: ClusterFacts, workload: WorkloadFacts, container: ContainerFacts): Verdict[] {
  const { usage, oomKills } = container
  if (!usage || usage.runs < RUNS_MIN || oomKills > 0) return []
  const current = specOf(container)
  const recommended = recommend(facts, workload, container, usage)
  if (recommended.cpuMillicores === current.cpuMillicores && recommended.memoryKib === current.memoryKib) return []
  const { price } = workload
  return [
    price === null
      ? noNodePrice(targetOf(workload, container.name))
      : found(workload, container, usage, recommended, price),
  ]
}

function recommend(
  { policies }: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
): ContainerSpec {
  const current = specOf(container)
  const most = mostUsed(usage)
  const needed = withFloors(workload, policyOf(policies, workload.namespace), {
    cpuMillicores: most.cpuMillicores * MARGIN,
    memoryKib: most.memoryKib * MARGIN,
  })
  return {
    cpuMillicores: lower(current.cpuMillicores, needed.cpuMillicores),
    memoryKib: markedHeap(workload).kind === 'none' ? lower(current.memoryKib, needed.memoryKib) : current.memoryKib,
  }
}

function found(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
  price: WorkloadPrice,
): Finding {
  const current = specOf(container)
  const most = mostUsed(usage)
  const usdOf = ({ cpuMillicores, memoryKib }: ContainerSpec) =>
    usage.replicasMean *
    ((cpuMillicores ?? 0) * price.cpuUsdPerMillicoreMonth + (memoryKib ?? 0) * price.memoryUsdPerKibMonth)
  return {
    ...aboutContainer(workload, container),
    title: `Lower the requests of container ${container.name} of job ${workload.name}`,
    recommendedSpec: recommended,
    change: changeRequests('set_requests', targetOf(workload, container.name), current, recommended),
    estimatedUsdPerMonth: usdOf(current) - usdOf(recommended),
    costUsdPerMonth: usdOf(current),
    risk: 'medium',
    confidence: 'medium',
    checks: checksOf(usage, most),
    evidence: {
      ...usageEvidence(usage),
      prices: price.rows,
      savingLines: resourceLines(
        `of ${Number(usage.replicasMean.toFixed(3))} pods on average`,
        timesAmount(
          {
            cpuMillicores: (current.cpuMillicores ?? 0) - (recommended.cpuMillicores ?? 0),
            memoryKib: (current.memoryKib ?? 0) - (recommended.memoryKib ?? 0),
          },
          usage.replicasMean,
        ),
        price,
      ),
      confidenceReasons: [`${usage.runs} or more runs are known, and none of them used as much.`],
      caveats: [
        'A run with more to do than any of the last two weeks takes longer, or is killed if its limit follows.',
      ],
      facts: {
        runs: usage.runs,
        pods: Number(usage.replicasMean.toFixed(3)),
        max_cpu_millicores: Number(most.cpuMillicores.toFixed(1)),
        memory_max_kib: Math.round(most.memoryKib),
      },
    },
  }
}

const checksOf = ({ runs }: UsageFacts, most: ReturnType<typeof mostUsed>): Check[] => [
  passed(`At least ${RUNS_MIN} runs in two weeks`, `${runs} or more`),
  passed('No run was killed for lack of memory', 'none'),
  passed(
    'A fifth above the most that any run has used',
    `${describeMillicores(most.cpuMillicores)} and ${showKib(most.memoryKib)}`,
  ),
  passed('Nobody else writes its requests', 'no VerticalPodAutoscaler and no operator'),
]

const mostUsed = ({ cpu, startUp, memoryMaxKib }: UsageFacts) => ({
  cpuMillicores: Math.max(startUp.cpuMaxUnits, edgeOf(cpu.histogram.buckets.at(-1) ?? 0)) / CPU_UNITS_PER_MILLICORE,
  memoryKib: memoryMaxKib,
})

const lower = (current: number | null, needed: number | null) =>
  current === null || needed === null || needed > current * (1 - LOWER_MIN) ? current : needed
