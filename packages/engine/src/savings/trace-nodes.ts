import type { Decimal } from '../decimal.ts'
import { groupBy } from '../group-by.ts'
import { matchReplacements, type Replacements } from './match-replacements.ts'

/** The life of a node, in seconds since 1970. A name may have several lives. */
export type NodeLife = {
  readonly uid: string
  readonly name: string
  readonly pool: string
  readonly startedAt: number
  /** Null: the node runs. */
  readonly endedAt: number | null
  /** The measured price of the node; null: no price is known. */
  readonly usdPerMonth: Decimal | null
}

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
  readonly nodes: readonly NamedNode[]
}

/** `claimed`: another step named the node later, and the removal counts there. `unknown`: no data about the node. */
export type NodeState = 'gone' | 'replaced' | 'stays' | 'claimed' | 'unknown'

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
  const namedLives = steps.flatMap(({ id, promisedAt, nodes }) =>
    nodes.flatMap(({ name }) => {
      const life = lifeOf(name, promisedAt)
      return life ? [{ id, promisedAt, life }] : []
    }),
  )
  const claims = new Map<string, { id: string; promisedAt: number }>()
  for (const { life, ...claim } of namedLives) {
    const other = claims.get(life.uid)
    if (!other || isLater(claim, other)) claims.set(life.uid, claim)
  }
  const replacementOf = matchReplacements(lives, new Map([...claims].map(([uid, claim]) => [uid, claim.promisedAt])))
  return new Map(
    steps.map((step) => [
      step.id,
      step.nodes.map((named) => {
        const life = lifeOf(named.name, step.promisedAt)
        const isClaimed = life !== null && claims.get(life.uid)?.id !== step.id
        return fateOf(named, life, isClaimed, replacementOf)
      }),
    ]),
  )
}

const isAliveAt = ({ startedAt, endedAt }: NodeLife, at: number) =>
  startedAt <= at && (endedAt === null || endedAt > at)

const isLater = (a: { id: string; promisedAt: number }, b: { id: string; promisedAt: number }) =>
  a.promisedAt > b.promisedAt || (a.promisedAt === b.promisedAt && a.id > b.id)

function fateOf(named: NamedNode, life: NodeLife | null, isClaimed: boolean, replacementOf: Replacements): NodeFate {
  const nothing = { named, life, replacement: null, offUsd: 0n }
  if (!life) return { ...nothing, state: 'unknown' }
  if (life.endedAt === null) return { ...nothing, state: 'stays' }
  if (isClaimed) return { ...nothing, state: 'claimed' }
  const replacement = runningReplacement(life, replacementOf)
  const offUsd = (life.usdPerMonth ?? 0n) - (replacement?.usdPerMonth ?? 0n)
  // A planned replacement is part of the step.
  const state = replacement && named.replacedBy === null ? 'replaced' : 'gone'
  return { named, life, replacement, state, offUsd }
}

/** A replacement may end and be replaced as well. */
function runningReplacement(life: NodeLife, replacementOf: Replacements): NodeLife | null {
  let next = replacementOf.get(life.uid)
  while (next && next.endedAt !== null) next = replacementOf.get(next.uid)
  return next ?? null
}
