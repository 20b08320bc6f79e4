import { count } from '../../count.ts'
import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { passed, unchecked } from '../checks.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { basisOf, specOf, targetOf } from '../container-finding.ts'
import type { Check, Evidence, Verdict } from '../finding.ts'
import { runsAllTheTime } from '../facts/judgeable.ts'
import { notJudged } from '../sizing/not-judged.ts'
import type { Rule } from '../rule.ts'
import { resourceLines, sumAmounts, timesAmount } from '../savings/saving-lines.ts'
import { heldAmount, heldUsd, podsPaid, sizeContainer } from '../sizing/size-container.ts'
import { percentilesOf, usageEvidence } from '../sizing/size-evidence.ts'
import { isAbandoned } from '../facts/idle-workload.ts'

const REPLICAS_MIN = 3
/** Two pods survive the loss of a node; a third survives the loss of a zone during a replacement. */
const REPLICAS_KEPT = 2
const DAYS_MIN = 14
/** Highest usage that counts as nearly idle, as the mean over the containers of a pod. */
const TINY_MILLICORES = 10
/** A single container may use more if the others use less, such as a proxy next to an idle program. */
const TINY_MILLICORES_OF_ONE = 2 * TINY_MILLICORES

export const replicasOverprovisioned: Rule = {
  id: 'replicas_overprovisioned',
  category: 'scaling',
  title: 'Lower replicas of nearly idle Deployments',
  shortName: 'Too many replicas',
  description: `No autoscaler manages the Deployment, and its pods are nearly idle even at their peak. Plimsoll keeps ${REPLICAS_KEPT} pods for availability.`,
  trigger: `A Deployment without an autoscaler has at least ${REPLICAS_MIN} pods. Over ${DAYS_MIN} days, the p99 of CPU usage is at most ${TINY_MILLICORES}m per container on average. No container exceeds ${TINY_MILLICORES_OF_ONE}m.`,
  saving: '(Pods − pods kept) × cost of a pod with right-sized requests.',
  guards: [
    `At least ${REPLICAS_KEPT} pods stay, and as many as the PodDisruptionBudget requires.`,
    'StatefulSets and DaemonSets are skipped: they need each pod (quorum, ordinals, one pod per node).',
    'Autoscaled workloads are skipped. The agent must be able to read autoscalers.',
    `${DAYS_MIN} days of data are required. Workloads that cannot be sized are skipped.`,
    'Zone spread is not checked.',
  ],
  needs: ['pods', 'prices', 'rightsizing', 'autoscalers'],
  isAboutMoney: true,
  inPlan: { role: 'resize', verb: 'Lower', noun: ['replica count', 'replica counts'] },
  judge: (facts) => facts.workloads.flatMap((workload) => judge(facts, workload)),
}

type Running = { container: ContainerFacts; usage: UsageFacts }

/** The content of the finding beside the workload. */
type Oversupply = {
  /** The busiest container first. */
  running: readonly [Running, ...Running[]]
  price: NonNullable<WorkloadFacts['price']>
  kept: number
  /** For one pod, in millicores: the p99, and the highest value that counts as nearly idle. */
  busiest: number
  tiny: number
}

function judge(facts: ClusterFacts, workload: WorkloadFacts): Verdict[] {
  const { price, kind, replicas } = workload
  if (!runsAllTheTime(workload) || kind !== 'Deployment' || workload.autoscaler !== null || price === null) return []
  if (replicas < REPLICAS_MIN || isAbandoned(facts, workload)) return []
  const containers = workload.containers.flatMap((container) =>
    container.kind !== 'init' && container.usage ? [{ container, usage: container.usage }] : [],
  )
  if (!containers.every(({ container, usage }) => isTiny(workload, container, usage))) return []
  const [first, ...others] = containers.toSorted((a, b) => p99Of(b.usage) - p99Of(a.usage))
  if (!first) return []
  const running: Oversupply['running'] = [first, ...others]
  const busiest = running.reduce((sum, { usage }) => sum + p99Of(usage), 0)
  const tiny = running.length * TINY_MILLICORES
  const kept = Math.max(REPLICAS_KEPT, keptByDisruptionBudget(workload))
  if (busiest > tiny || kept >= replicas) return []
  return [findingOf(facts, workload, { running, price, kept, busiest, tiny })]
}

function findingOf(facts: ClusterFacts, workload: WorkloadFacts, oversupply: Oversupply): Verdict {
  const { name, kind, replicas } = workload
  const { running, price, kept } = oversupply
  const target = targetOf(workload)
  const podUsd = running.reduce((sum, { container, usage }) => {
    const { recommended } = sizeContainer(facts, workload, container, usage)
    return sum + heldUsd(workload, { ...usage, replicasMean: replicas }, recommended, price) / replicas
  }, 0)
  return {
    kind: 'finding',
    target,
    title: `Lower replicas of ${name} from ${replicas} to ${kept}`,
    podName: workload.podName,
    workload: { kind, name, container: '' },
    currentSpec: null,
    recommendedSpec: null,
    change: {
      action: 'set_replicas',
      object: target,
      summary: `Set replicas of ${name} from ${replicas} to ${kept}.`,
      fields: [{ path: 'spec.replicas', from: String(replicas), to: String(kept) }],
    },
    estimatedUsdPerMonth: (replicas - kept) * podUsd,
    bankableUsdPerMonth: null,
    costUsdPerMonth: running.reduce(
      (sum, { container, usage }) => sum + heldUsd(workload, usage, specOf(container), price),
      0,
    ),
    risk: 'medium',
    riskReasons: ['Fewer pods for rare peaks and zone failures'],
    confidence: 'medium',
    isUrgent: false,
    removesPods: replicas - kept,
    basis: workload.containers.map((container) => basisOf(workload, container)).join(', '),
    checks: checksOf(workload, oversupply),
    evidence: evidenceOf(facts, workload, oversupply),
  }
}

function checksOf(workload: WorkloadFacts, { running: [first], busiest, tiny }: Oversupply): Check[] {
  const { replicas } = workload
  return [
    passed(`At least ${DAYS_MIN} days of data`, `${first.usage.historyDays.toFixed(0)} days`),
    passed('Not autoscaled', 'no autoscaler'),
    passed(`Each pod uses at most ${tiny}m CPU at the p99`, `${busiest.toFixed(1)}m in ${replicas} pods`),
    passed(
      'The PodDisruptionBudget is respected',
      workload.disruptionsAllowed === null
        ? 'no PodDisruptionBudget'
        : `${count(workload.disruptionsAllowed, 'disruption')} allowed`,
    ),
    unchecked('Zone spread', 'unknown'),
  ]
}

function evidenceOf(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  { running, price, kept, tiny }: Oversupply,
): Evidence {
  const { replicas } = workload
  const [first] = running
  return {
    ...usageEvidence(first.usage),
    prices: price.rows,
    savingLines: resourceLines(
      `of ${count(replicas - kept, 'removed pod')}`,
      sumAmounts(
        running.map(({ container, usage }) => {
          const { recommended } = sizeContainer(facts, workload, container, usage)
          const paid = podsPaid(workload, { ...usage, replicasMean: replicas })
          return timesAmount(heldAmount(usage, recommended), ((replicas - kept) * paid) / replicas)
        }),
      ),
      price,
    ),
    confidenceReasons: [`Each pod uses at most ${tiny}m CPU for 99 % of the time.`],
    caveats: ['Pods may be needed for zone spread or rare peaks.'],
    facts: { container: first.container.name, replicas, replicas_kept: kept },
  }
}

function isTiny(workload: WorkloadFacts, container: ContainerFacts, usage: UsageFacts): boolean {
  if (usage.historyDays < DAYS_MIN || notJudged(targetOf(workload), container)) return false
  return p99Of(usage) <= TINY_MILLICORES_OF_ONE
}

const p99Of = (usage: UsageFacts) => percentilesOf(usage.cpu.histogram, CPU_UNITS_PER_MILLICORE)?.p99 ?? Infinity

/** Pods beyond the allowed disruptions must stay. */
const keptByDisruptionBudget = ({ disruptionsAllowed, replicas }: WorkloadFacts) =>
  disruptionsAllowed === null ? 0 : Math.max(0, replicas - disruptionsAllowed)
