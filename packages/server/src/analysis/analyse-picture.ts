import {
  askAlone,
  bankFindings,
  costsOf,
  describeBlocker,
  runRules,
  listProposals,
  observer,
  packCluster,
  RULES,
  weighFindings,
  workloadRooms,
  type ClusterFacts,
  type JointOutcome,
  type Rule,
} from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import type { Proposing } from '../recommendations/open-proposals.ts'
import type { Found } from '../recommendations/reconcile.ts'
import { claimer } from './claimer.ts'
import { factsOf, type Around } from './facts-of.ts'
import type { Packed } from './node-facts.ts'
import { nodeVerdicts, type NodeVerdict } from './node-verdicts.ts'
import { watchedFacts } from './object-facts.ts'
import { packingOf } from './packing-of.ts'
import { peakPods } from './peak-pods.ts'
import { poolsOf } from './pools-of.ts'
import { withRoom } from './with-room.ts'

export type PictureAnalysis = Found & { nodes: readonly NodeVerdict[]; unattributedUsdPerMonth: number }

/** Of what the rules say, and of what people have said to that, what is open afterwards. */
export type WhatIsOpen = (found: Omit<Found, 'observedAt'>) => readonly Proposing[]
const allIsOpen: WhatIsOpen = ({ findings }) => findings

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
export function judgePicture(
  state: FoldState,
  used: ClusterFacts,
  packed: Packed | undefined,
  whatIsOpen = allIsOpen,
): PictureAnalysis {
  const facts = withRoom(used, packed)
  const observe = observer(facts)
  const told = runRules(
    RULES.filter((rule) => !asksLast(rule)),
    facts,
  )
  const open = whatIsOpen({ ...weighFindings(told, facts), observe })
  const joint = packed && bankOpen(open, packed)
  const followed = joint ? withJoint(facts, joint) : facts
  const last = runRules(RULES.filter(asksLast), followed)
  const all = { findings: [...told.findings, ...last.findings], withheld: [...told.withheld, ...last.withheld] }
  const { findings, withheld } = weighFindings(all, followed)
  const banked = joint && bankFindings(findings, joint, facts.costUsdPerMonth)
  return {
    observedAt: new Date(facts.observedAt * 1000),
    findings: (banked?.findings ?? findings).map(claimer(facts)),
    credits: banked?.usdPerMonth ?? new Map(),
    clusterUsdPerMonth: facts.costUsdPerMonth,
    unattributedUsdPerMonth: banked?.unattributedUsdPerMonth ?? 0,
    withheld,
    observe,
    nodes: packed ? nodeVerdicts(state, packed, joint) : [],
  }
}

/** What leaves the bill when all that is open is followed, and what each of it does alone. */
function bankOpen(open: readonly Proposing[], { packing, cluster }: Packed) {
  const proposals = listProposals(open, cluster.pods)
  const joint = packing.joint(proposals)
  const freesAlone = askAlone(packing, proposals, joint.shares, cluster.pods.length)
  return { ...joint, freesAlone, costs: costsOf(open) }
}

/** Undefined where the agent does not say what pods demand of nodes: then nobody knows where they fit. */
export function packPicture(
  state: FoldState,
  { rates, pricing, history, policies }: Pick<Around, 'rates' | 'pricing' | 'history' | 'policies'>,
): Packed | undefined {
  if (!watchedFacts(state).includes('placement')) return undefined
  const peaks = peakPods(state, history.replicaPeaks)
  const pools = poolsOf(state, pricing, policies.cluster.poolScaling)
  const cluster = packingOf(
    state,
    rates,
    pools.map(({ pool }) => pool),
    peaks,
  )
  return { cluster, pools, packing: packCluster(cluster), peaks, roomOf: workloadRooms(cluster) }
}

/** What is known of nodes only once all open advice is followed: which of them go, and what keeps others. */
function withJoint(facts: ClusterFacts, { unblocked, freed }: JointOutcome): ClusterFacts {
  const going = new Set(freed.map(({ node }) => node))
  const blockers = new Map(
    unblocked.map(({ node, blocker, left }) => [
      node,
      { code: blocker.code, why: describeBlocker(blocker), ...(left ? { left } : {}) },
    ]),
  )
  return {
    ...facts,
    known: new Set([...facts.known, 'node_blockers' as const]),
    nodes: facts.nodes.map((node) => ({
      ...node,
      blocker: blockers.get(node.name) ?? null,
      ...(going.has(node.name) ? { goesWithAdvice: true } : {}),
    })),
  }
}
