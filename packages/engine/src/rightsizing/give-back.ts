import type { Dial } from './safety-margin.ts'
import { judgedRounds, outcomeOfShare, outcomeOfVpa, type Rehearsed, type Rehearsal } from './rehearsal.ts'

/** The candidate shares, and how much better than VPA they must be in time and volume. */
const SHARES = [0.84, 0.87, 0.9, 0.93, 0.96, 0.98] as const
const GUARD = 0.95
/** Sums of many differences: a result of 0 may be slightly off. */
const ROUNDING = 1e-9
const ROUNDS_MIN = 3

export type Backtest =
  | { readonly kind: 'unknown'; readonly reason: 'too_few_rounds'; readonly rounds: number }
  | {
      readonly kind: 'known'
      readonly rounds: number
      /** At the current share, spent all the time. */
      readonly ours: Rehearsed
      readonly vpa: Rehearsed
      /** The expected result of the next week is within this factor, up or down. */
      readonly range: number
    }

export type Spending = { readonly share: number; readonly backtest: Backtest }

const RANGE = 1.7

/**
 * The smallest share of the budget that the history of the cluster allows: time *and* volume of shortage stay below 95
 * % of VPA. Chosen for the whole cluster, because the history of one container proves nothing.
 */
export function chooseShare(rehearsal: Rehearsal, dial: Dial, standingDays: number): Spending {
  const rounds = judgedRounds(rehearsal)
  const enough = standingDays === 1 ? ROUNDS_MIN : 1
  if (rounds < enough) {
    return { share: dial.share, backtest: { kind: 'unknown', reason: 'too_few_rounds', rounds } }
  }
  const vpa = outcomeOfVpa(rehearsal)
  const isGoodEnough = (share: number) => {
    const ours = outcomeOfShare(rehearsal, dial.anchor, share)
    return ours.time <= GUARD * vpa.time + ROUNDING && ours.volume <= GUARD * vpa.volume + ROUNDING
  }
  const smaller = dial.givesBack ? SHARES.find((share) => share < dial.share && isGoodEnough(share)) : undefined
  const share = smaller ?? dial.share
  const ours = outcomeOfShare(rehearsal, dial.anchor, share)
  return { share, backtest: { kind: 'known', rounds, ours, vpa, range: RANGE } }
}
