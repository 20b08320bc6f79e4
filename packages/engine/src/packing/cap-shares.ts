import { apportion } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'

export type CappedShares = {
  readonly shares: ReadonlyMap<string, Decimal>
  /** Unallocated capacity that existed before: savings beyond the cost of all objects belong to none of them. */
  readonly unattributed: Decimal
}

/**
 * Caps each share at the cost of its object. The excess goes to the others in proportion to their shares, up to their
 * caps; the rest is unattributed. Shares and rest add up to the sum of the input. A loss is not capped.
 */
export function capShares(shares: ReadonlyMap<string, Decimal>, caps: ReadonlyMap<string, Decimal>): CappedShares {
  const capOf = (id: string, share: Decimal) => max(0n, caps.get(id) ?? share)
  const capped = new Map([...shares].map(([id, share]) => [id, share > capOf(id, share) ? capOf(id, share) : share]))
  const cut = sum(shares) - sum(capped)
  const open = [...capped].filter(([id, share]) => share > 0n && (!caps.has(id) || share < capOf(id, share)))
  if (cut === 0n || open.length === 0) return { shares: capped, unattributed: cut }

  const parts = apportion(
    cut,
    open.map(([key, weight]) => ({ key, weight })),
  )
  for (const [id, part] of parts) capped.set(id, (capped.get(id) ?? 0n) + part)
  return capShares(capped, caps)
}

const max = (a: Decimal, b: Decimal) => (a > b ? a : b)

const sum = (shares: ReadonlyMap<string, Decimal>) => [...shares.values()].reduce((total, share) => total + share, 0n)
