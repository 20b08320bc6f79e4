import type { Savings } from '@plimsoll/contract'

/** Negative amounts count too. */
export const hasMoney = (row: Savings['rows'][number]) =>
  Object.values(row).some((value) => typeof value === 'number' && value !== 0)
