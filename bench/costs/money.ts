import type { Decimal } from '../../packages/engine/src/index.ts'
import type { DayCost } from '../../packages/engine/src/forecast/index.ts'

const MICRO = 10n ** 18n

export const toUsd = (value: number): Decimal => BigInt(Math.round(value * 1e6)) * MICRO
export const fromUsd = (usd: Decimal): number => Number(usd / MICRO) / 1e6

export const toDays = (first: number, values: readonly number[]): DayCost[] =>
  values.map((value, index) => ({ day: first + index, usd: toUsd(value), knownHours: 24 }))

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
export const mean = (values: readonly number[]): number => sum(values) / values.length

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2
}
