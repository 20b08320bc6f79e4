import type { Decimal } from '../decimal.ts'
import { addEffects, type EffectKey, type EffectSums } from './effect-key.ts'

/** A cost in both windows, and the effects that add up to its difference. */
export type ChangeLine = { before: Decimal; now: Decimal; readonly effects: EffectSums }

export const emptyLine = (): ChangeLine => ({ before: 0n, now: 0n, effects: new Map() })

type AddedLine = { readonly before: Decimal; readonly now: Decimal; readonly effects: ReadonlyMap<EffectKey, Decimal> }

export function addLine(line: ChangeLine, { before, now, effects }: AddedLine): void {
  line.before += before
  line.now += now
  addEffects(line.effects, effects)
}
