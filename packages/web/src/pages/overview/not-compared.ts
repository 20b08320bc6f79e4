import type { Overview } from '@plimsoll/contract'
import { count } from '../../format/quantity.ts'
import { nameIn } from './name-in.ts'

/** Which clusters are in no comparison with the week before: named while they are few. */
export function notCompared(overview: Pick<Overview, 'clusters' | 'not_compared'>): string {
  const { not_compared: ids } = overview
  if (ids.length === 0) return ''
  const who = ids.length > 2 ? count(ids.length, 'cluster') : ids.map(nameIn(overview)).join(' and ')
  return `without ${who}, not known then`
}
