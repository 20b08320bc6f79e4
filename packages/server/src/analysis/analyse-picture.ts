import {
  bankFindings,
  describeBlocker,
  layerBlocked,
  listProposals,
  observer,
  packCluster,
  RULES,
  runRules,
  type ClusterFacts,
  type JointOutcome,
  type Rule,
} from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import type { Found } from '../recommendations/reconcile.ts'
import { claimer } from './claimer.ts'
import { factsOf, type Around } from './facts-of.ts'
import type { Packed } from './node-facts.ts'
import { nodeVerdicts, type NodeVerdict } from './node-verdicts.ts'
import { watchedFacts } from './object-facts.ts'
import { packingOf } from './packing-of.ts'
import { peakPods } from './peak-pods.ts'
import { poolsOf } from './pools-of.ts'

export type PictureAnalysis = Found & { nodes: readonly NodeVerdict[]; unattributedUsdPerMonth: number }

/** Only answered once it is known what leaves the bill when all other advice is followed. */
const asksLast = ({ needs }: Rule) => needs.includes('node_blockers')

export type Look = { facts: ClusterFacts; packed: Packed | undefined }

/** What there is, and where the scheduler would put it. What containers use is added from stored hours. */
export function lookAtPicture(state: FoldState, around: Around): Look {
  const packed = packPicture(state, around)
  return { facts: factsOf(state, around, packed), packed }
}

/**
 * Everything an analysis says about one picture of a cluster: the rules speak, the scheduler is run again with what they
 * propose, and then those speak that ask what still keeps a node.
 */
export function judgePicture(state: FoldState, facts: ClusterFacts, packed: Packed | undefined): PictureAnalysis {
  const first = runRules(
    RULES.filter((rule) => !asksLast(rule)),
    facts,
  )
  const joint = packed?.packing.joint(listProposals(first.findings, packed.cluster.pods))
  const last = runRules(RULES.filter(asksLast), joint ? withBlockers(facts, joint) : facts)
  const { findings, unattributedUsdPerMonth } = joint
    ? bankFindings(first.findings, joint, facts.costUsdPerMonth)
    : { findings: first.findings, unattributedUsdPerMonth: 0 }
  return {
    observedAt: new Date(facts.observedAt * 1000),
    findings: [...layerBlocked(findings, last.findings, facts), ...last.findings].map(claimer(facts)),
    withheld: [...first.withheld, ...last.withheld],
    observe: observer(facts),
    nodes: packed ? nodeVerdicts(state, packed.packing, joint) : [],
    unattributedUsdPerMonth,
  }
}

/** Undefined where the agent does not say what pods demand of nodes: then nobody knows where they fit. */
export function packPicture(
  state: FoldState,
  { rates, pricing, history }: Pick<Around, 'rates' | 'pricing' | 'history'>,
): Packed | undefined {
  if (!watchedFacts(state).includes('placement')) return undefined
  const peaks = peakPods(state, history.replicaPeaks)
  const cluster = packingOf(state, rates, poolsOf(state, pricing), peaks)
  return { cluster, packing: packCluster(cluster), peaks }
}

function withBlockers(facts: ClusterFacts, { unblocked }: JointOutcome): ClusterFacts {
  const blockers = new Map(
    unblocked.map(({ node, blocker }) => [node, { code: blocker.code, why: describeBlocker(blocker) }]),
  )
  return {
    ...facts,
    known: new Set([...facts.known, 'node_blockers' as const]),
    nodes: facts.nodes.map((node) => ({ ...node, blocker: blockers.get(node.name) ?? null })),
  }
}
