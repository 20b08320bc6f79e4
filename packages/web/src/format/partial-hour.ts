import { clock } from './time.ts'

/** Of an answer that may show the current hour, because no hour of the cluster is complete yet. */
export type MayBePartial = { partial?: boolean; as_of?: string | null }

/** Null: the figures are of complete hours. */
export function partialHour({ partial, as_of: asOf }: MayBePartial): string | null {
  if (partial !== true) return null
  const through = typeof asOf === 'string' ? ` up to ${clock(asOf)}` : ''
  return `No hour is complete yet. The figures cover the current hour${through} and grow until it ends.`
}
