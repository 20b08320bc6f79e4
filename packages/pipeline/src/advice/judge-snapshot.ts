import { decimal } from '@plimsoll/engine'
import { blockerBasis, blockingObjects, describeBlocker } from '@plimsoll/engine/packing'
import { bankByPlan, startPlan, type Plan, type PreviousStep, type StartedPlan } from '@plimsoll/engine/plan'
import {
  findingKey,
  nodesKeptByPool,
  observer,
  RULES,
  runRules,
  weighFindings,
  type ClusterFacts,
  type Rule,
} from '@plimsoll/engine/rules'
import { claimer } from '../facts/claimer.ts'
import type { Packed } from '../facts/node-facts.ts'
import { nodeVerdicts, type NodeVerdict } from '../facts/node-verdicts.ts'
import { withCapacity } from '../facts/with-capacity.ts'
import type { FoldState } from '../fold/fold-state.ts'
import type { Proposing } from './open-proposals.ts'
import { planItems, type TeamOf } from './plan-items.ts'
import type { Found } from './reconcile.ts'

export type Analysis = Found & {
  nodes: readonly NodeVerdict[]
  /** Undefined where it is not known on which nodes pods fit. */
  plan?: Plan
}

/** Which proposals stay open, after the findings of the rules and the decisions of people. */
export type ListOpen = (found: Omit<Found, 'observedAt'>) => readonly Proposing[]

export type Planning = {
  /** The steps of the plan before. */
  previous?: readonly PreviousStep[]
  /** The nodes that packing removed in it. */
  drained?: Plan['drained']
  /** Recommendations that were marked as implemented and are not seen in the cluster yet. */
  applied?: readonly Proposing[]
  newStepId: () => string
  teamOf?: TeamOf
}

/** These rules need to know which nodes remain once all other recommendations are applied. */
const asksLast = ({ needs }: Rule) => needs.includes('node_blockers')

/**
 * Runs the rules, plans the removal of nodes with the open proposals, and then runs the rules about nodes that remain.
 * Without `listOpen` every finding is open.
 */
export function judgeSnapshot(
  state: FoldState,
  used: ClusterFacts,
  packed: Packed | undefined,
  { listOpen = ({ findings }) => findings, planning = NO_PLANNING }: { listOpen?: ListOpen; planning?: Planning } = {},
): Analysis {
  const facts = withCapacity(used, packed)
  const observe = observer(facts)
  const verdicts = runRules(
    RULES.filter((rule) => !asksLast(rule)),
    facts,
  )
  const open = listOpen({ ...weighFindings(verdicts, facts), observe })
  const started = packed && startPlanning(packed, open, planning)
  const followed = packed && started ? withPlan(facts, packed, started) : facts
  const last = runRules(RULES.filter(asksLast), followed)
  const all = { findings: [...verdicts.findings, ...last.findings], withheld: [...verdicts.withheld, ...last.withheld] }
  const { findings, withheld } = weighFindings(all, followed)
  const items = packed ? itemsOf(packed, openNow(open, findings), planning) : []
  const plan = started?.finish({ ...finishing(planning, facts), items })
  const banked = plan && bankByPlan(findings, plan, items, facts.costUsdPerMonth)
  return {
    observedAt: new Date(facts.observedAt * 1000),
    findings: (banked?.findings ?? findings).map(claimer(facts)),
    credits: banked?.usdPerMonth ?? new Map(),
    clusterUsdPerMonth: facts.costUsdPerMonth,
    withheld,
    observe,
    nodes: packed
      ? nodeVerdicts(state, packed, { unblocked: started?.unblocked ?? [], keptByPool: nodesKeptByPool(facts) })
      : [],
    ...(plan ? { plan } : {}),
  }
}

const NO_PLANNING: Planning = { newStepId: () => '' }

function itemsOf({ cluster }: Packed, open: readonly Proposing[], { applied = [], teamOf = ownTeam }: Planning) {
  const keys = new Set(open.map(findingKey))
  return planItems([...open, ...applied.filter((each) => !keys.has(findingKey(each)))], cluster.pods, teamOf)
}

/** A namespace without a team mapping counts as a team. */
const ownTeam: TeamOf = (namespace) => namespace

const startPlanning = (packed: Packed, open: readonly Proposing[], planning: Planning): StartedPlan =>
  startPlan(packed.packing, { items: itemsOf(packed, open, planning), previous: planning.previous ?? [] })

const finishing = ({ previous = [], newStepId }: Planning, { costUsdPerMonth }: ClusterFacts) => ({
  previous,
  newId: newStepId,
  runRateUsdPerMonth: costUsdPerMonth === null ? null : decimal(costUsdPerMonth.toFixed(6)),
})

/** As found now, with what was found last; what is open and was not found again stays as it is written. */
function openNow(open: readonly Proposing[], findings: readonly Proposing[]): Proposing[] {
  const openKeys = new Set(open.map(findingKey))
  const isLast = ({ ruleId }: Proposing) => LAST_RULES.has(ruleId)
  const now = new Map(
    findings.filter((each) => openKeys.has(findingKey(each)) || isLast(each)).map((each) => [findingKey(each), each]),
  )
  return [...open.filter((each) => !now.has(findingKey(each))), ...now.values()]
}

const LAST_RULES = new Set(RULES.filter(asksLast).map(({ id }) => id))

/** What is known of nodes only once all open advice is followed: which of them go, and what keeps others. */
function withPlan(facts: ClusterFacts, { packing }: Packed, { unblocked, gone }: StartedPlan): ClusterFacts {
  const anyway = new Set(packing.present.freed.map(({ node }) => node))
  const blockers = new Map(
    unblocked.map(({ node, blocker, left }) => [
      node,
      {
        code: blocker.code,
        why: describeBlocker(blocker),
        basis: blockerBasis(blocker),
        objects: blockingObjects(blocker),
        ...(left ? { left } : {}),
      },
    ]),
  )
  return {
    ...facts,
    known: new Set([...facts.known, 'node_blockers' as const]),
    nodes: facts.nodes.map((node) => ({
      ...node,
      blocker: blockers.get(node.name) ?? null,
      ...(gone.has(node.name) && !anyway.has(node.name) ? { goesWithAdvice: true } : {}),
    })),
  }
}
