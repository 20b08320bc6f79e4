import { blockerBasis, describeBlocker, type JointOutcome } from '@plimsoll/engine/packing'
import {
  askAlone,
  bankFindings,
  costsOf,
  runRules,
  listProposals,
  nodesKeptByPool,
  observer,
  RULES,
  weighFindings,
  type ClusterFacts,
  type Rule,
} from '@plimsoll/engine/rules'
import { claimer } from '../facts/claimer.ts'
import type { Packed } from '../facts/node-facts.ts'
import { nodeVerdicts, type NodeVerdict } from '../facts/node-verdicts.ts'
import { withRoom } from '../facts/with-room.ts'
import type { FoldState } from '../fold/fold-state.ts'
import type { Proposing } from './open-proposals.ts'
import type { Found } from './reconcile.ts'

export type Analysis = Found & { nodes: readonly NodeVerdict[]; unattributedUsdPerMonth: number }

/** Which proposals stay open, after the findings of the rules and the decisions of people. */
export type ListOpen = (found: Omit<Found, 'observedAt'>) => readonly Proposing[]

/** These rules need to know which nodes remain once all other recommendations are applied. */
const asksLast = ({ needs }: Rule) => needs.includes('node_blockers')

/**
 * Runs the rules, packs the cluster again with the open proposals, and then runs the rules about nodes that remain.
 * Without `listOpen` every finding is open.
 */
export function judgeSnapshot(
  state: FoldState,
  used: ClusterFacts,
  packed: Packed | undefined,
  listOpen: ListOpen = ({ findings }) => findings,
): Analysis {
  const facts = withRoom(used, packed)
  const observe = observer(facts)
  const verdicts = runRules(
    RULES.filter((rule) => !asksLast(rule)),
    facts,
  )
  const open = listOpen({ ...weighFindings(verdicts, facts), observe })
  const joint = packed && bankOpen(open, packed)
  const followed = joint ? withJoint(facts, joint) : facts
  const last = runRules(RULES.filter(asksLast), followed)
  const all = { findings: [...verdicts.findings, ...last.findings], withheld: [...verdicts.withheld, ...last.withheld] }
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
    nodes: packed ? nodeVerdicts(state, packed, { joint, keptByPool: nodesKeptByPool(facts) }) : [],
  }
}

/** The bankable savings of all open recommendations together, and of each recommendation alone. */
function bankOpen(open: readonly Proposing[], { packing, cluster }: Packed) {
  const proposals = listProposals(open, cluster.pods)
  const joint = packing.joint(proposals)
  const freesAlone = askAlone(packing, proposals, joint.shares, cluster.pods.length)
  return { ...joint, freesAlone, costs: costsOf(open) }
}

/** Adds the facts that need all open recommendations: which nodes are removed, and what blocks the others. */
function withJoint(facts: ClusterFacts, { unblocked, freed }: JointOutcome): ClusterFacts {
  const going = new Set(freed.map(({ node }) => node))
  const blockers = new Map(
    unblocked.map(({ node, blocker, left }) => [
      node,
      { code: blocker.code, why: describeBlocker(blocker), basis: blockerBasis(blocker), ...(left ? { left } : {}) },
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
