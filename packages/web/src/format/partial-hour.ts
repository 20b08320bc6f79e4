import { clockWithZone } from './time.ts'

/** An answer that shows the current hour of clusters without a complete hour. */
export type MayBePartial = {
  partial?: boolean
  as_of?: string | null
  partial_cluster_ids?: readonly string[]
  /** Absent on a page about one cluster. */
  cluster_ids?: readonly string[]
}

export type PartialHourWords = { title: string; text: string }

/** Null: the figures cover complete hours. */
export function partialHour(answer: MayBePartial, nameOf: (clusterId: string) => string): PartialHourWords | null {
  const { partial, as_of: asOf, partial_cluster_ids: open = [], cluster_ids: all = open } = answer
  if (partial !== true) return null
  const through = typeof asOf === 'string' ? ` up to ${clockWithZone(asOf)}` : ''
  const covers = `the current hour${through} and grow until the hour ends.`
  if (open.length === 0 || open.length >= all.length)
    return { title: 'Partial: current hour', text: `No hour is complete yet. The figures cover ${covers}` }
  const names = open.map(nameOf).join(', ')
  return {
    title: `Partial: ${names}`,
    text: `No hour of ${names} is complete yet. ${open.length === 1 ? 'Its' : 'Their'} figures cover ${covers} The other clusters show complete hours.`,
  }
}
