import type { Living } from '../facts.ts'
import type { Delta, HistoryHour } from '../shape/epoch-writer.ts'

/** Some hours of the past, with all that was there in them and was not told before. */
export type HistoryPart = {
  /** With it, everything before this hour is told. In hours since 1970. */
  readonly through: number
  readonly objects: Living & Pick<Delta, 'ends'>
  readonly hours: readonly HistoryHour[]
}
