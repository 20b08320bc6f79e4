import type { Decimal } from '../decimal.ts'

export type StepPromise = {
  readonly id: string
  /** When the plan named the nodes, in seconds since 1970. */
  readonly promisedAt: number
  readonly promisedUsd: Decimal
  readonly members: readonly { readonly id: string; readonly shareUsd: Decimal }[]
  /** `isClaimed`: the node counts for another step. */
  readonly nodes: readonly { readonly promisedUsd: Decimal; readonly isClaimed: boolean }[]
}

/** What a promise still counts: shares by recommendation, and the factor for the promised prices of its nodes. */
export type CountedPromise = {
  readonly promisedUsd: Decimal
  readonly shares: ReadonlyMap<string, Decimal>
  readonly nodeFactor: { readonly of: Decimal; readonly by: Decimal }
}

/**
 * Each recommendation and each node counts in one promise. A recommendation of several promises counts in the latest.
 * Claimed nodes and shares leave the promised amount. A promise without a node or recommendation of its own ends, and
 * has no entry in the result.
 */
export function countOnce(promises: readonly StepPromise[]): Map<string, CountedPromise> {
  const open = promises.filter(({ nodes }) => nodes.length === 0 || nodes.some(({ isClaimed }) => !isClaimed))
  const ownerOf = new Map<string, StepPromise>()
  for (const promise of open) {
    for (const { id } of promise.members) {
      const other = ownerOf.get(id)
      if (!other || isLater(promise, other)) ownerOf.set(id, promise)
    }
  }
  return new Map(
    open.flatMap((promise): [string, CountedPromise][] => {
      const own = promise.members.filter(({ id }) => ownerOf.get(id) === promise)
      return own.length === 0 ? [] : [[promise.id, countOwn(promise, own)]]
    }),
  )
}

const isLater = (a: StepPromise, b: StepPromise) =>
  a.promisedAt > b.promisedAt || (a.promisedAt === b.promisedAt && a.id > b.id)

/** Nodes and shares are two views of one amount, so the larger loss counts, and not both. */
function countOwn({ promisedUsd: whole, members, nodes }: StepPromise, own: StepPromise['members']): CountedPromise {
  const kept = nodes.filter(({ isClaimed }) => !isClaimed)
  const byNodes = partOf(whole, sumOf(kept, usdOfNode), sumOf(nodes, usdOfNode))
  const byMembers = partOf(whole, sumOf(own, usdOfShare), sumOf(members, usdOfShare))
  const promisedUsd = absolute(byNodes) < absolute(byMembers) ? byNodes : byMembers
  return {
    promisedUsd,
    shares: new Map(own.map(({ id, shareUsd }) => [id, partOf(shareUsd, promisedUsd, byMembers)])),
    nodeFactor: { of: promisedUsd, by: byNodes },
  }
}

/** `usd × of ÷ by`; unchanged if there is nothing to compare. */
export const partOf = (usd: Decimal, of: Decimal, by: Decimal): Decimal =>
  by === 0n || of === by ? usd : (usd * of) / by

const usdOfNode = ({ promisedUsd }: StepPromise['nodes'][number]) => promisedUsd
const usdOfShare = ({ shareUsd }: StepPromise['members'][number]) => shareUsd

const absolute = (usd: Decimal) => (usd < 0n ? -usd : usd)

const sumOf = <Item>(items: readonly Item[], usdOf: (item: Item) => Decimal) =>
  items.reduce((sum, item) => sum + usdOf(item), 0n)
