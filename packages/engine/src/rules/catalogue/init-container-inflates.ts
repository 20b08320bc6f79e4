import { count } from '../../count.ts'
import { describeMillicores } from '../../units.ts'
import { passed, showKib } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { aboutContainer, changeRequests, noNodePrice, sizeTitle, specOf, targetOf } from '../container-finding.ts'
import { withFloors } from '../sizing/floors.ts'
import { NO_EVIDENCE, type ContainerSpec, type Verdict } from '../finding.ts'
import { policyOf } from '../facts/policy.ts'
import { rolloutCaveats, rolloutReasons, rolloutRisk } from '../sizing/rollout.ts'
import { podsPaidBy } from '../savings/request-usd.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, timesAmount } from '../savings/saving-lines.ts'

export const initContainerInflates: Rule = {
  id: 'init_container_inflates',
  category: 'cpu_memory',
  title: 'Lower oversized init container requests',
  shortName: 'Init container',
  description: 'The scheduler reserves the largest init container request for the lifetime of the pod.',
  trigger: 'An init container requests more than all app containers and sidecars together.',
  saving: 'The difference × pods × node prices.',
  guards: [
    'Only the request is lowered. The limit stays, so on a node with free capacity the start is as fast as before.',
    'If another init container requests as much, one change alone saves nothing.',
    'Minimum requests of the policy, LimitRange and annotations apply.',
    'Jobs are skipped, because init containers take a large part of the run time of a job.',
  ],
  needs: ['pods', 'prices'],
  isAboutMoney: true,
  inPlan: { role: 'resize', verb: 'Lower', noun: ['request', 'requests'] },
  judge: (facts) =>
    facts.workloads
      .filter(({ kind, replicas }) => replicas > 0 && kind !== 'Job' && kind !== 'CronJob')
      .flatMap((workload) => judge(facts, workload)),
}

type Resource = keyof ContainerSpec

function judge(facts: ClusterFacts, workload: WorkloadFacts): Verdict[] {
  const inits = workload.containers.filter(({ kind }) => kind === 'init')
  const staying = workload.containers.filter(({ kind }) => kind !== 'init')
  const sum = (resource: Resource) => staying.reduce((total, each) => total + (specOf(each)[resource] ?? 0), 0)
  const apps: Record<Resource, number> = { cpuMillicores: sum('cpuMillicores'), memoryKib: sum('memoryKib') }
  return inits.flatMap((container) => {
    const others = inits.filter((each) => each !== container)
    const needed = (resource: Resource) =>
      Math.max(apps[resource], ...others.map((each) => specOf(each)[resource] ?? 0))
    return judgeContainer(facts, workload, container, {
      cpuMillicores: needed('cpuMillicores'),
      memoryKib: needed('memoryKib'),
    })
  })
}

/** `needed` is the reservation of the pod without this container. */
function judgeContainer(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  needed: Record<Resource, number>,
): Verdict[] {
  const current = specOf(container)
  const recommended = withFloors(workload, policyOf(facts.policies, workload.namespace), {
    cpuMillicores: lower(current.cpuMillicores, needed.cpuMillicores),
    memoryKib: lower(current.memoryKib, needed.memoryKib),
  })
  const freed = (resource: Resource) => Math.max(0, (current[resource] ?? 0) - (recommended[resource] ?? 0))
  if (freed('cpuMillicores') === 0 && freed('memoryKib') === 0) return []
  const target = targetOf(workload, container.name)
  if (workload.price === null) return [noNodePrice(target)]
  const { cpuUsdPerMillicoreMonth, memoryUsdPerKibMonth, rows } = workload.price
  const pods = podsPaidBy(workload)
  const usdOf = (spec: Record<Resource, number>) =>
    pods * (spec.cpuMillicores * cpuUsdPerMillicoreMonth + spec.memoryKib * memoryUsdPerKibMonth)
  const change = changeRequests('set_requests', target, { from: current, to: recommended })
  return [
    {
      ...aboutContainer(workload, container),
      title: sizeTitle(change, { name: `init container ${workload.name}` }, container),
      recommendedSpec: recommended,
      change,
      estimatedUsdPerMonth: usdOf({ cpuMillicores: freed('cpuMillicores'), memoryKib: freed('memoryKib') }),
      costUsdPerMonth: usdOf({ cpuMillicores: current.cpuMillicores ?? 0, memoryKib: current.memoryKib ?? 0 }),
      risk: rolloutRisk(workload),
      riskReasons: rolloutReasons(workload),
      confidence: 'high',
      checks: [
        passed(
          'Requests more than all other containers of the pod',
          `other containers request ${describeMillicores(needed.cpuMillicores)} and ${showKib(needed.memoryKib)}`,
        ),
        passed('Not a job', workload.kind),
        passed('Only the request is lowered', 'limits stay'),
      ],
      evidence: {
        ...NO_EVIDENCE,
        prices: rows,
        savingLines: resourceLines(
          `of ${count(Number(pods.toFixed(1)), 'pod')} reserved by the init container only`,
          timesAmount({ cpuMillicores: freed('cpuMillicores'), memoryKib: freed('memoryKib') }, pods),
          workload.price,
        ),
        confidenceReasons: ['The savings follow from the pod spec, not from usage.'],
        caveats: ['On a full node, the init container may run more slowly.', ...rolloutCaveats(workload)],
        facts: { replicas: workload.replicas, ...neededFacts(needed) },
      },
    },
  ]
}

const lower = (value: number | null, needed: number) => (value === null ? null : Math.min(value, needed))

const neededFacts = ({ cpuMillicores, memoryKib }: Record<Resource, number>) => ({
  needed_cpu_millicores: cpuMillicores,
  needed_memory_kib: memoryKib,
})
