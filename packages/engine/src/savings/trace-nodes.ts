import type { Decimal } from '../decimal.ts'
import { groupBy } from '../group-by.ts'
import { SECONDS_PER_DAY } from '../time.ts'

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

/** A replacement starts up to a day before the node ends, and up to seven days after. */
const SURGE_SECONDS = SECONDS_PER_DAY
const REPLACING_SECONDS = 7 * SECONDS_PER_DAY

/** Follows each named node: whether it is gone, and whether another node of its pool replaced it. By step. */
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

type Replacements = ReadonlyMap<string, NodeLife>

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

/**
 * Pairs each node that started with the node of its pool that ended at nearly the same time. Each node replaces at most
 * one node and has at most one replacement. Unnamed nodes count as well: their replacements replace no named node.
 */
function matchReplacements(lives: readonly NodeLife[], namedAt: ReadonlyMap<string, number>): Replacements {
  const replacementOf = new Map<string, NodeLife>()
  for (const pool of groupBy(lives, (life) => life.pool).values()) {
    const starts = pool.toSorted((a, b) => a.startedAt - b.startedAt || (a.uid < b.uid ? -1 : 1))
    const ended = pool.filter(({ endedAt }) => endedAt !== null)
    for (const start of starts) {
      const free = ended.filter((life) => !replacementOf.has(life.uid) && canReplace(start, life, namedAt))
      const [nearest] = free.sort((a, b) => distance(start, a) - distance(start, b) || byNaming(a, b, namedAt))
      if (nearest) replacementOf.set(nearest.uid, start)
    }
  }
  return replacementOf
}

function canReplace(start: NodeLife, { uid, startedAt, endedAt }: NodeLife, namedAt: ReadonlyMap<string, number>) {
  if (endedAt === null || start.uid === uid || start.startedAt <= startedAt) return false
  const named = namedAt.get(uid)
  if (named !== undefined && start.startedAt <= named) return false
  const delay = start.startedAt - endedAt
  return delay >= -SURGE_SECONDS && delay <= REPLACING_SECONDS
}

const distance = ({ startedAt }: NodeLife, { endedAt }: NodeLife) => Math.abs(startedAt - (endedAt ?? 0))

const byNaming = (a: NodeLife, b: NodeLife, namedAt: ReadonlyMap<string, number>) =>
  Number(namedAt.has(a.uid)) - Number(namedAt.has(b.uid)) || (a.uid < b.uid ? -1 : 1)
