import { count } from '../../count.ts'
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
/** One of three pods stays on a node that is not reclaimed. */
const MOVED_SHARE_MAX = 2 / 3

export const spotCandidate: Rule = {
  id: 'spot_candidate',
  category: 'spot',
  title: 'Run replicated stateless workloads on spot nodes',
  shortName: 'Spot',
  description:
    'Spot nodes cost much less and can be interrupted. AWS gives two minutes of notice, Google Cloud and Azure about 30 seconds. A workload with several pods and no volumes tolerates interruptions.',
  trigger: `A Deployment of ${REPLICAS_MIN} or more pods without volumes or local storage runs on on-demand nodes only.`,
  saving:
    'Requests of two thirds of the pods × spot discount of their nodes. For autoscaled workloads, the mean number of pods is used.',
  guards: [
    'One third of the pods, at least one, stays on demand.',
    'Skipped if the PodDisruptionBudget allows no disruption; without a PodDisruptionBudget the risk is high.',
    'Skipped if an annotation forbids eviction, or with plimsoll.dev/spot: "false".',
    'Withheld in a restart loop.',
    'Skipped without a spot price, and for idle workloads.',
    'If the cluster has neither spot nodes nor a node autoscaler, the confidence is low. Create a spot pool first.',
    'Savings of right-sizing are not counted again.',
  ],
  needs: ['pods', 'prices', 'placement', 'spot_prices', 'controllers'],
  isAboutMoney: true,
  inPlan: { role: 'switch', verb: 'Move', noun: ['workload to spot nodes', 'workloads to spot nodes'] },
  countsAfter: { scope: 'workload', rules: [hpaMinReplicasHigh] },
  judge: (facts) =>
    facts.workloads
      .filter((workload) => isCandidate(workload) && !isAbandoned(facts, workload))
      .flatMap((workload) => judge(workload, waysToSpot(facts))),
}

function isCandidate(workload: WorkloadFacts): boolean {
  const { kind, price, placement, disruptionsAllowed, annotations, labels } = workload
  const { hasVolumes, hasLocalStorage, isPinned, spotPods, spotDiscount } = placement
  const spotSetting = annotations['plimsoll.dev/spot'] ?? labels['plimsoll.dev/spot']
  return (
    kind === 'Deployment' &&
    price !== null &&
    podsPaidBy(workload) >= REPLICAS_MIN &&
    !(hasVolumes || hasLocalStorage || isPinned || disruptionsAllowed === 0 || spotSetting === 'false') &&
    spotPods === 0 &&
    (spotDiscount ?? 0) > 0
  )
}

/**
 * `ready`: spot nodes exist, or Karpenter may start them · `scaled`: a pool must be created · `none`: also without an
 * autoscaler.
 */
type WaysToSpot = 'ready' | 'scaled' | 'none'

function waysToSpot({ nodes, pools }: ClusterFacts): WaysToSpot {
  if (nodes.some(({ isSpot }) => isSpot) || pools.some(({ scaler }) => scaler === 'karpenter')) return 'ready'
  return pools.some(({ scaler }) => scaler !== 'none') ? 'scaled' : 'none'
}

function judge(workload: WorkloadFacts, ways: WaysToSpot): Verdict[] {
  const target = targetOf(workload)
  const unstable = workload.containers.find(({ usage }) => usage !== null && isRestarting(usage))?.usage
  if (unstable) return [restarting(target, unstable)]
  return findingsOf(workload, movedOf(podsPaidBy(workload)), ways)
}

/** `average` is empty if the number of pods is constant. */
type Moved = { readonly pods: number; readonly moved: number; readonly words: string; readonly average: string }

/** Whole pods move: for a varying number, on average a third of a pod less than two thirds. */
function movedOf(pods: number): Moved {
  const whole = Math.round(pods)
  if (Math.abs(pods - whole) < 0.05) {
    const moved = Math.floor(whole * MOVED_SHARE_MAX)
    return { pods, moved, words: `${moved} of ${whole} pods`, average: '' }
  }
  const moved = pods * MOVED_SHARE_MAX - 1 / 3
  return {
    pods,
    moved,
    words: 'about two thirds of the pods',
    average: ` (${show(moved)} of ${show(pods)} on average)`,
  }
}

const show = (pods: number) => String(Number(pods.toFixed(1)))

function findingsOf(workload: WorkloadFacts, { pods, moved, words, average }: Moved, ways: WaysToSpot): Verdict[] {
  const { name, kind, price, placement } = workload
  if (price === null) return []
  const cost = requestUsd(workload)
  const discount = placement.spotDiscount ?? 0
  const target = targetOf(workload)
  const first = ways === 'ready' ? '' : ' Create a spot pool first.'
  return [
    {
      kind: 'finding',
      target,
      title: `Run ${words} of ${name} on spot nodes${average}`,
      podName: workload.podName,
      workload: { kind, name, container: '' },
      currentSpec: null,
      recommendedSpec: null,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Run ${words} of ${name}${average} on spot nodes, and keep the others on demand.${first}`,
        fields: [],
      },
      action: { kind: 'use_spot' },
      estimatedUsdPerMonth: (cost * moved * discount) / pods,
      bankableUsdPerMonth: null,
      costUsdPerMonth: cost,
      risk: workload.disruptionsAllowed === null ? 'high' : 'medium',
      riskReasons: [
        workload.disruptionsAllowed === null
          ? 'No PodDisruptionBudget: several pods can be interrupted at once'
          : 'Spot nodes can be interrupted',
      ],
      confidence: ways === 'none' ? 'low' : 'medium',
      isUrgent: false,
      // Without the number of pods and the instance types: an autoscaler changes both, and a rejection must persist.
      basis: kind,
      checks: checksOf(workload, { pods, moved }, ways),
      evidence: {
        ...NO_EVIDENCE,
        prices: price.rows,
        savingLines: resourceLines(
          `of ${words}${average}, at the spot discount of ${Math.round(discount * 100)} %`,
          timesAmount(requestedBy(workload), moved / pods),
          {
            ...price,
            cpuUsdPerMillicoreMonth: price.cpuUsdPerMillicoreMonth * discount,
            memoryUsdPerKibMonth: price.memoryUsdPerKibMonth * discount,
          },
        ),
        confidenceReasons: [
          'The workload has several pods and no volumes, and no annotation forbids eviction.',
          ...(ways === 'none' ? ['The cluster has no spot nodes and no node autoscaler.'] : []),
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
  ready: 'available, or Karpenter can start them',
  scaled: 'none; create a spot pool',
  none: 'none, and no node autoscaler',
}

function checksOf(
  { disruptionsAllowed: allowed }: WorkloadFacts,
  { pods, moved }: Pick<Moved, 'pods' | 'moved'>,
  ways: WaysToSpot,
): Check[] {
  return [
    passed(`A Deployment of at least ${REPLICAS_MIN} pods`, `${show(pods)} pods`),
    passed('No volumes and no local storage', 'none'),
    passed('Eviction is allowed', 'no pod annotation forbids it'),
    judged(
      'PodDisruptionBudget',
      allowed === null ? 'none' : `${count(allowed, 'disruption')} allowed`,
      allowed !== null,
    ),
    passed('One third stays on demand', `${show(pods - moved)} of ${show(pods)}`),
    judged('Spot nodes', WAYS[ways], ways === 'ready'),
    unchecked('Shutdown time', 'unknown; AWS gives two minutes of notice, Google Cloud and Azure about 30 seconds'),
  ]
}

const caveatsOf = ({ disruptionsAllowed }: WorkloadFacts, ways: WaysToSpot): string[] => [
  ...(ways === 'ready' ? [] : ['The cluster has no spot pool: create one first.']),
  ...(disruptionsAllowed === null ? ['Without a PodDisruptionBudget several pods can be evicted at once.'] : []),
  'Sessions and caches in memory are lost with a pod.',
  'To keep one third on demand, use a topology spread constraint on the capacity type label, or two Deployments.',
  'The shutdown time of the pods is unknown.',
  'Spot prices and availability vary.',
]
