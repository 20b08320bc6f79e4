import { decimal, type Decimal } from '../decimal.ts'
import { SECONDS_PER_DAY } from '../time.ts'
import type { DayCost, DayNumber } from './day-cost.ts'

export const usd = (amount: number): Decimal => decimal(String(amount))

export const dayOf = (date: string): DayNumber => Date.parse(date) / 1000 / SECONDS_PER_DAY

/** Whole known days from `first` on. */
export const someDays = (first: DayNumber, amounts: readonly number[]): DayCost[] =>
  amounts.map((amount, index) => ({ day: first + index, usd: usd(amount), knownHours: 24 }))

export const repeated = (amount: number, count: number): number[] => Array.from({ length: count }, () => amount)
