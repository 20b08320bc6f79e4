import { judged, passed, unchecked } from '../checks.ts'
import type { ClusterFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { targetOf } from '../container-finding.ts'
import { NO_EVIDENCE, type Check, type Verdict } from '../finding.ts'
import { isRestarting, restarting } from '../facts/judgeable.ts'
import { podsPaidBy, requestedBy, requestUsd } from '../savings/request-usd.ts'
import { hpaMinReplicasHigh } from './hpa-min-replicas-high.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, timesAmount } from '../savings/saving-lines.ts'
import { isAbandoned } from '../facts/idle-workload.ts'

const REPLICAS_MIN = 3
/** One of three stays where nobody takes it away. */
const MOVED_SHARE_MAX = 2 / 3

export const spotCandidate: Rule = {
  id: 'spot_candidate',
  category: 'spot',
  title: 'Replicated workloads without volumes on full price',
  shortName: 'Spot',
  description:
    'Machines that may be taken away with two minutes of notice cost much less. A workload that has several pods, keeps nothing on disk and may be moved loses little when that happens.',
  trigger: 'A Deployment of three or more pods without volumes or local data runs on on-demand nodes only.',
  saving:
    'What two thirds of its pods request, × how much cheaper spot is for the machines they run on. Where something scales it, of the pods that it has on average.',
  guards: [
    'A third of the pods, at least one, stays on demand.',
    'A disruption budget that allows nobody to be away leaves it out; without any budget the risk is high.',
    'Pods that are marked as not to be moved leave it out.',
    'plimsoll.dev/spot: "false" leaves it out.',
    'What restarts over and over is withheld.',
    'Without a spot price for its machines it is left out, and so is what does nothing: that should go altogether.',
    'Where the cluster has no spot nodes and nothing that could start some, the confidence is low, and a spot pool comes first.',
    'What right-sizing takes away first is not saved a second time.',
  ],
  needs: ['pods', 'prices', 'placement', 'spot_prices', 'controllers'],
  isAboutMoney: true,
  countsAfter: { scope: 'workload', rules: [hpaMinReplicasHigh] },
  judge: (facts) =>
    facts.workloads
      .filter((workload) => isCandidate(workload) && !isAbandoned(facts, workload))
      .flatMap((workload) => judge(workload, waysToSpot(facts))),
}

function isCandidate(workload: WorkloadFacts): boolean {
  const { kind, price, placement, disruptionsAllowed, annotations, labels } = workload
  const { hasVolumes, hasLocalStorage, isPinned, spotPods, spotDiscount } = placement
  const said = annotations['plimsoll.dev/spot'] ?? labels['plimsoll.dev/spot']
  return (
    kind === 'Deployment' &&
    price !== null &&
    podsPaidBy(workload) >= REPLICAS_MIN &&
    !(hasVolumes || hasLocalStorage || isPinned || disruptionsAllowed === 0 || said === 'false') &&
    spotPods === 0 &&
    (spotDiscount ?? 0) > 0
  )
}

/** `ready`: there are spot nodes, or Karpenter may start some · `scaled`: a pool has to be made · `none`: and nobody would scale it. */
type WaysToSpot = 'ready' | 'scaled' | 'none'

function waysToSpot({ nodes, pools }: ClusterFacts): WaysToSpot {
  if (nodes.some(({ isSpot }) => isSpot) || pools.some(({ scaler }) => scaler === 'karpenter')) return 'ready'
  return pools.some(({ scaler }) => scaler !== 'none') ? 'scaled' : 'none'
}

function judge(workload: WorkloadFacts, ways: WaysToSpot): Verdict[] {
  const target = targetOf(workload)
  const unstable = workload.containers.find(({ usage }) => usage !== null && isRestarting(usage))?.usage
  if (unstable) return [restarting(target, unstable)]
  return tell(workload, movedOf(podsPaidBy(workload)), ways)
}

/** `average` is empty where the number of pods stays. */
type Moved = { readonly pods: number; readonly moved: number; readonly words: string; readonly average: string }

/** Whole pods move: of a number that goes up and down a third of a pod less than two thirds, on average. */
function movedOf(pods: number): Moved {
  const whole = Math.round(pods)
  if (Math.abs(pods - whole) < 0.05) {
    const moved = Math.floor(whole * MOVED_SHARE_MAX)
    return { pods, moved, words: `${moved} of ${whole} pods`, average: '' }
  }
  const moved = pods * MOVED_SHARE_MAX - 1 / 3
  return { pods, moved, words: 'two of three pods', average: ` (${show(moved)} of ${show(pods)} on average)` }
}

const show = (pods: number) => String(Number(pods.toFixed(1)))
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

function tell(workload: WorkloadFacts, { pods, moved, words, average }: Moved, ways: WaysToSpot): Verdict[] {
  const { name, kind, price, placement } = workload
  if (price === null) return []
  const cost = requestUsd(workload)
  const discount = placement.spotDiscount ?? 0
  const target = targetOf(workload)
  const first = ways === 'ready' ? '' : ' A spot pool has to be made first.'
  return [
    {
      kind: 'finding',
      target,
      title: `${capital(words)} of ${name} could run on spot${average}`,
      podName: workload.podName,
      workload: { kind, name, container: '' },
      currentSpec: null,
      recommendedSpec: null,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Let ${words} of ${name}${average} run on spot nodes, and keep the others on demand.${first}`,
        fields: [],
      },
      estimatedUsdPerMonth: (cost * moved * discount) / pods,
      bankableUsdPerMonth: null,
      costUsdPerMonth: cost,
      risk: workload.disruptionsAllowed === null ? 'high' : 'medium',
      confidence: ways === 'none' ? 'low' : 'medium',
      isUrgent: false,
      // Neither how many pods there are nor on which machines: an autoscaler moves both, and no is no until much more is at stake.
      basis: kind,
      checks: checksOf(workload, { pods, moved }, ways),
      evidence: {
        ...NO_EVIDENCE,
        prices: price.rows,
        savingLines: resourceLines(
          `of ${words}${average}, by which spot is cheaper (${Math.round(discount * 100)} %)`,
          timesAmount(requestedBy(workload), moved / pods),
          {
            ...price,
            cpuUsdPerMillicoreMonth: price.cpuUsdPerMillicoreMonth * discount,
            memoryUsdPerKibMonth: price.memoryUsdPerKibMonth * discount,
          },
        ),
        confidenceReasons: [
          'It has several pods, no volumes and nothing that forbids to move them.',
          ...(ways === 'none' ? ['The cluster has no spot nodes, and nobody scales its pools.'] : []),
        ],
        caveats: caveatsOf(workload, ways),
        facts: {
          replicas: workload.replicas,
          pods: Number(pods.toFixed(2)),
          pods_moved: Number(moved.toFixed(2)),
          spot_discount_percent: Math.round(discount * 100),
        },
      },
    },
  ]
}

const WAYS: Readonly<Record<WaysToSpot, string>> = {
  ready: 'spot nodes are there, or Karpenter may start some',
  scaled: 'no spot nodes: a pool has to be made',
  none: 'no spot nodes, and nobody scales the pools',
}

function checksOf(
  { disruptionsAllowed: allowed }: WorkloadFacts,
  { pods, moved }: Pick<Moved, 'pods' | 'moved'>,
  ways: WaysToSpot,
): Check[] {
  return [
    passed(`A Deployment of at least ${REPLICAS_MIN} pods`, `${show(pods)} pods`),
    passed('No volumes, no data on the node’s disk', 'none'),
    passed('Nothing forbids to move its pods', 'no annotation of its pods'),
    judged(
      'A PodDisruptionBudget limits how many are drained at once',
      allowed === null ? 'it has none' : `${allowed} may be away`,
      allowed !== null,
    ),
    passed('A third stays on demand', `${show(pods - moved)} of ${show(pods)}`),
    judged('There are spot nodes for it', WAYS[ways], ways === 'ready'),
    unchecked('It shuts down within two minutes', 'how long it takes is not known'),
  ]
}

const caveatsOf = ({ disruptionsAllowed }: WorkloadFacts, ways: WaysToSpot): string[] => [
  ...(ways === 'ready' ? [] : ['The cluster has no spot pool: one has to be made first.']),
  ...(disruptionsAllowed === null
    ? ['It has no PodDisruptionBudget: nothing keeps several of its pods from being drained at once.']
    : []),
  'It keeps nothing on volumes; sessions and caches that it holds in memory are not seen, and go with a pod.',
  'How many run where is kept by a spread over the label of the capacity type, or by two Deployments.',
  'Whether it shuts down within two minutes is not known.',
  'Spot prices move, and machines may not be there when they are wanted.',
]
