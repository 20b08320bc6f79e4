import type { Decimal } from '../decimal.ts'
import { groupBy } from '../group-by.ts'
import { matchReplacements, type Replacements } from './match-replacements.ts'
import type { NodeLife } from './node-life.ts'

export type NamedNode = {
  readonly name: string
  readonly pool: string
  readonly promisedUsd: Decimal
  /** The planned cheaper instance type; null: the step removes the node. */
  readonly replacedBy: string | null
}

export type NamingStep = {
  readonly id: string
  /** When the nodes were named, in seconds since 1970. */
  readonly promisedAt: number
  /** When the first change of the step was applied: earlier removals are not its effect. */
  readonly appliedAt: number
  readonly nodes: readonly NamedNode[]
}

/**
 * `claimed`: the node counts for another step. `ended_before`: the node ended before the first change of the step.
 * `not_priced`: the node ended, and its price or the price of its replacement is not known. `unknown`: no data.
 */
export type NodeState = 'gone' | 'replaced' | 'stays' | 'claimed' | 'ended_before' | 'not_priced' | 'unknown'

export type NodeFate = {
  readonly named: NamedNode
  readonly state: NodeState
  readonly life: NodeLife | null
  readonly replacement: NodeLife | null
  /** What the bill lost: the price of the node less the price of its replacement. */
  readonly offUsd: Decimal
}

/** Follows each named node: whether it is gone, and whether another node replaced it. By step. */
export function traceNodes(lives: readonly NodeLife[], steps: readonly NamingStep[]): Map<string, NodeFate[]> {
  const byName = groupBy(lives, ({ name }) => name)
  const lifeOf = (name: string, at: number) => byName.get(name)?.find((life) => isAliveAt(life, at)) ?? null
  const claims = new Map<string, Claim>()
  for (const { id, promisedAt, appliedAt, nodes } of steps) {
    for (const { name } of nodes) {
      const life = lifeOf(name, promisedAt)
      if (!life) continue
      const claim = { id, promisedAt, isInTime: life.endedAt === null || appliedAt <= life.endedAt }
      const other = claims.get(life.uid)
      if (!other || hasPriority(claim, other)) claims.set(life.uid, claim)
    }
  }
  const replacementOf = matchReplacements(lives, new Map([...claims].map(([uid, claim]) => [uid, claim.promisedAt])))
  return new Map(
    steps.map((step) => [
      step.id,
      step.nodes.map((named) => fateOf(named, step.id, lifeOf(named.name, step.promisedAt), { claims, replacementOf })),
    ]),
  )
}

/** The step that a node counts for. */
type Claim = { readonly id: string; readonly promisedAt: number; readonly isInTime: boolean }

const isAliveAt = ({ startedAt, endedAt }: NodeLife, at: number) =>
  startedAt <= at && (endedAt === null || endedAt > at)

/** A step that was applied before the node ended goes first, then the later promise. */
function hasPriority(a: Claim, b: Claim): boolean {
  if (a.isInTime !== b.isInTime) return a.isInTime
  return a.promisedAt > b.promisedAt || (a.promisedAt === b.promisedAt && a.id > b.id)
}

type Trace = { readonly claims: ReadonlyMap<string, Claim>; readonly replacementOf: Replacements }

function fateOf(named: NamedNode, stepId: string, life: NodeLife | null, trace: Trace): NodeFate {
  const nothing = { named, life, replacement: null, offUsd: 0n }
  if (!life) return { ...nothing, state: 'unknown' }
  const claim = trace.claims.get(life.uid)
  if (claim?.id !== stepId) return { ...nothing, state: 'claimed' }
  if (life.endedAt === null) return { ...nothing, state: 'stays' }
  if (!claim.isInTime) return { ...nothing, state: 'ended_before' }
  const replacement = lastReplacement(life, trace)
  const [before, now] = [life.usdPerMonth, replacement ? replacement.usdPerMonth : 0n]
  if (before === null || now === null) return { ...nothing, replacement, state: 'not_priced' }
  // A planned replacement is part of the step.
  const state = replacement && named.replacedBy === null ? 'replaced' : 'gone'
  return { named, life, replacement, state, offUsd: before - now }
}

/**
 * A replacement may end and be replaced as well. From a replacement that another step removes, that step counts the
 * rest. A replacement that ended before the other step was applied is not removed by that step.
 */
function lastReplacement(life: NodeLife, { claims, replacementOf }: Trace): NodeLife | null {
  for (let next = replacementOf.get(life.uid); next; next = replacementOf.get(next.uid)) {
    if (next.endedAt === null || claims.get(next.uid)?.isInTime) return next
  }
  return null
}
