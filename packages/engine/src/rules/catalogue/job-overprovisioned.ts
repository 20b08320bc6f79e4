import { CPU_UNITS_PER_MILLICORE, edgeOf } from '../../rightsizing/histogram.ts'
import { passed, showKib, percent } from '../checks.ts'
import { describeMillicores } from '../../units.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts, WorkloadPrice } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, noNodePrice, specOf, targetOf, sizeTitle } from '../container-finding.ts'
import { withFloors } from '../sizing/floors.ts'
import type { Check, ContainerSpec, Finding, Verdict } from '../finding.ts'
import { isJob } from '../facts/judgeable.ts'
import { annotatedHeap } from '../facts/annotations.ts'
import { policyOf } from '../facts/policy.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, timesAmount } from '../savings/saving-lines.ts'
import { usageEvidence } from '../sizing/size-evidence.ts'

const RUNS_MIN = 5
/** Well above the usage of any run. */
const MARGIN = 1.2
/** A smaller reduction than this share of the request is not worth a change. */
const LOWER_MIN = 0.3

export const jobOverprovisioned: Rule = {
  id: 'job_overprovisioned',
  category: 'cpu_memory',
  title: 'Lower requests of over-provisioned jobs',
  shortName: 'Job over-provisioned',
  description:
    'Runs of a job usually need similar resources. If no run came near the requests, lower requests let more runs fit on a node.',
  trigger: `A job ran at least ${RUNS_MIN} times in two weeks. The maximum usage of all runs is at least ${percent(LOWER_MIN)} below the request.`,
  saving: 'The difference × price × run hours per month.',
  guards: [
    `The proposal is the maximum usage of all runs, including start-up, plus ${percent(MARGIN - 1)}.`,
    'Skipped: fewer runs, an OOM kill in a run, or requests that another controller manages.',
    'JVM memory is not changed. Minimum requests of the policy, LimitRange and annotations apply.',
    'Savings below min_savings are not shown: most jobs run for minutes.',
  ],
  needs: ['pods', 'prices', 'usage', 'oom_kills'],
  isAboutMoney: true,
  inPlan: { role: 'resize', verb: 'Lower', noun: ['request', 'requests'] },
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
      : found(workload, { container, usage, recommended, price }),
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
    memoryKib: annotatedHeap(workload).kind === 'none' ? lower(current.memoryKib, needed.memoryKib) : current.memoryKib,
  }
}

function found(
  workload: WorkloadFacts,
  {
    container,
    usage,
    recommended,
    price,
  }: { container: ContainerFacts; usage: UsageFacts; recommended: ContainerSpec; price: WorkloadPrice },
): Finding {
  const current = specOf(container)
  const change = changeRequests('set_requests', targetOf(workload, container.name), { from: current, to: recommended })
  const most = mostUsed(usage)
  const usdOf = ({ cpuMillicores, memoryKib }: ContainerSpec) =>
    usage.replicasMean *
    ((cpuMillicores ?? 0) * price.cpuUsdPerMillicoreMonth + (memoryKib ?? 0) * price.memoryUsdPerKibMonth)
  return {
    ...aboutContainer(workload, container),
    title: sizeTitle(change, workload, container),
    recommendedSpec: recommended,
    change,
    estimatedUsdPerMonth: usdOf(current) - usdOf(recommended),
    costUsdPerMonth: usdOf(current),
    risk: 'medium',
    riskReasons: ['A larger run takes longer or is OOM-killed'],
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
      confidenceReasons: [`None of at least ${usage.runs} runs used more than the proposed request.`],
      caveats: [
        'A run with more work than in the last two weeks takes longer.',
        'If you lower the memory limit too, such a run may be OOM-killed.',
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
  passed('No run was OOM-killed', 'none'),
  passed(
    `${percent(MARGIN - 1)} above the maximum of all runs`,
    `${describeMillicores(most.cpuMillicores)} and ${showKib(most.memoryKib)}`,
  ),
  passed('No other controller manages the requests', 'no VPA and no operator'),
]

const mostUsed = ({ cpu, startUp, memoryMaxKib }: UsageFacts) => ({
  cpuMillicores: Math.max(startUp.cpuMaxUnits, edgeOf(cpu.histogram.buckets.at(-1) ?? 0)) / CPU_UNITS_PER_MILLICORE,
  memoryKib: memoryMaxKib,
})

const lower = (current: number | null, needed: number | null) =>
  current === null || needed === null || needed > current * (1 - LOWER_MIN) ? current : needed
