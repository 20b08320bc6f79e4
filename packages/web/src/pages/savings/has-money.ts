import type { Savings } from '@plimsoll/contract'

/** What costs is money as well. */
export const hasMoney = (row: Savings['rows'][number]) =>
  Object.values(row).some((value) => typeof value === 'number' && value !== 0)
