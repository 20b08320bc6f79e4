import type { Decimal } from '../decimal.ts'
import type { CostPart, EffectKind } from '../vocabulary/changes.ts'

/** One cause of a cost difference. `detail` is a resource for requests and usage, and a class for prices and nodes. */
export type EffectName = { readonly part: CostPart; readonly kind: EffectKind; readonly detail: string }

/** The text of an effect name, as a key of sums. */
export type EffectKey = string

export type EffectSums = Map<EffectKey, Decimal>

export const effectKey = (part: CostPart, kind: EffectKind, detail = ''): EffectKey => `${part} ${kind} ${detail}`

/** The detail comes last, because a class may contain spaces. */
export function readEffectKey(key: EffectKey): EffectName {
  const [part, kind] = key.split(' ', 2) as [CostPart, EffectKind]
  return { part, kind, detail: key.slice(part.length + kind.length + 2) }
}

/** Effects of 0 are left out. */
export function addEffect(sums: EffectSums, key: EffectKey, usd: Decimal): void {
  const sum = (sums.get(key) ?? 0n) + usd
  if (sum === 0n) sums.delete(key)
  else sums.set(key, sum)
}

export function addEffects(sums: EffectSums, others: ReadonlyMap<EffectKey, Decimal>): void {
  for (const [key, usd] of others) addEffect(sums, key, usd)
}

export function sumEffects(sums: ReadonlyMap<EffectKey, Decimal>): Decimal {
  let sum = 0n
  for (const usd of sums.values()) sum += usd
  return sum
}
