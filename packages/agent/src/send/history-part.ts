import type { Living } from '../facts.ts'
import type { Delta, HistoryHour } from '../shape/epoch-writer.ts'

/** Some hours of history with the new objects in them. */
export type HistoryPart = {
  /** After this part, all hours before this one are sent. In hours since 1970. */
  readonly through: number
  readonly objects: Living & Pick<Delta, 'ends'>
  readonly hours: readonly HistoryHour[]
}
