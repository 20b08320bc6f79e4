import { passed, unchecked } from './checks.ts'
import type { WorkloadFacts } from './cluster-facts.ts'
import { targetOf } from './container-rule.ts'
import { NO_EVIDENCE, type Verdict } from './finding.ts'
import { requestedBy, requestUsd } from './request-usd.ts'
import type { Rule } from './rule.ts'
import { resourceLines, timesAmount } from './saving-lines.ts'
import { isAbandoned } from './workload-abandoned.ts'

const REPLICAS_MIN = 3
/** One of three stays where nobody takes it away. */
const MOVED_SHARE_MAX = 2 / 3

export const spotCandidate: Rule = {
  id: 'spot_candidate',
  category: 'spot',
  title: 'Replicated, stateless workloads on full price',
  description:
    'Machines that may be taken away with two minutes of notice cost much less. A workload that has several pods, keeps nothing on disk and may be moved loses little when that happens.',
  trigger: 'A Deployment of three or more pods without volumes or local data runs on on-demand nodes only.',
  saving: 'What two thirds of its pods request, × how much cheaper spot is for the machines they run on.',
  guards: [
    'A third of the pods, at least one, stays on demand.',
    'A disruption budget that allows nobody to be away leaves it out.',
    'Pods that are marked as not to be moved leave it out.',
    'plimsoll.dev/spot: "false" leaves it out.',
    'Without a spot price for its machines it is left out, and so is what does nothing: that should go altogether.',
    'What right-sizing takes away first is not saved a second time.',
  ],
  needs: ['pods', 'prices', 'placement', 'spot_prices', 'controllers'],
  isAboutMoney: true,
  judge: (facts) =>
    facts.workloads.filter((workload) => isCandidate(workload) && !isAbandoned(facts, workload)).flatMap(judge),
}

function isCandidate({ kind, replicas, placement, disruptionsAllowed, annotations, labels }: WorkloadFacts): boolean {
  const { hasVolumes, hasLocalStorage, isPinned, spotPods, spotDiscount } = placement
  const said = annotations['plimsoll.dev/spot'] ?? labels['plimsoll.dev/spot']
  return (
    kind === 'Deployment' &&
    replicas >= REPLICAS_MIN &&
    !(hasVolumes || hasLocalStorage || isPinned || disruptionsAllowed === 0 || said === 'false') &&
    spotPods === 0 &&
    (spotDiscount ?? 0) > 0
  )
}

function judge(workload: WorkloadFacts): Verdict[] {
  const { name, kind, replicas, price, placement } = workload
  if (price === null) return []
  const moved = Math.floor(replicas * MOVED_SHARE_MAX)
  const cost = requestUsd(workload)
  const discount = placement.spotDiscount ?? 0
  const target = targetOf(workload)
  return [
    {
      kind: 'finding',
      target,
      title: `${moved} of ${replicas} pods of ${name} could run on spot`,
      podName: workload.podName,
      workload: { kind, name, container: '' },
      currentSpec: null,
      recommendedSpec: null,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Let ${moved} of ${replicas} pods of ${name} run on spot nodes, and keep the others on demand.`,
        fields: [],
      },
      estimatedUsdPerMonth: (cost * moved * discount) / replicas,
      bankableUsdPerMonth: null,
      costUsdPerMonth: cost,
      risk: 'medium',
      confidence: 'medium',
      isUrgent: false,
      basis: `${moved} ${Math.round(discount * 10)}`,
      checks: [
        passed(`A Deployment of at least ${REPLICAS_MIN} pods`, `${replicas} pods`),
        passed('No volumes, no data on the node’s disk', 'none'),
        passed(
          'Nothing forbids to move its pods',
          workload.disruptionsAllowed === null
            ? 'no budget, no mark'
            : `its budget allows ${workload.disruptionsAllowed} to be away`,
        ),
        passed('A third stays on demand', `${replicas - moved} of ${replicas}`),
        unchecked('It shuts down within two minutes', 'how long it takes is not known'),
      ],
      evidence: {
        ...NO_EVIDENCE,
        prices: price.rows,
        savingLines: resourceLines(
          `of ${moved} of ${replicas} pods, by which spot is cheaper (${Math.round(discount * 100)} %)`,
          timesAmount(requestedBy(workload), moved / replicas),
          {
            ...price,
            cpuUsdPerMillicoreMonth: price.cpuUsdPerMillicoreMonth * discount,
            memoryUsdPerKibMonth: price.memoryUsdPerKibMonth * discount,
          },
        ),
        confidenceReasons: ['It has several pods, no volumes and nothing that forbids to move them.'],
        caveats: [
          'Whether it shuts down within two minutes is not known.',
          'Spot prices move, and machines may not be there when they are wanted.',
        ],
        facts: { replicas, pods_moved: moved, spot_discount_percent: Math.round(discount * 100) },
      },
    },
  ]
}
