import { hourMs } from '@plimsoll/engine'
export type Gap = { from: Date; to: Date; hours: number }

/** Runs of hours that are missing, newest first. `written` is sorted. */
export function findGaps(written: readonly Date[], { from, to }: { from: Date; to: Date }): Gap[] {
  const gaps: Gap[] = []
  let expected = from.getTime()
  for (const hour of [...written.map((each) => each.getTime()), to.getTime()]) {
    if (hour > expected)
      gaps.unshift({ from: new Date(expected), to: new Date(hour), hours: (hour - expected) / hourMs })
    expected = Math.max(expected, hour + hourMs)
  }
  return gaps
}
