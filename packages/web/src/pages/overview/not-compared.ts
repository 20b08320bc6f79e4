import type { Overview } from '@plimsoll/contract'
import { count } from '../../format/quantity.ts'
import { nameIn } from './name-in.ts'

/** The clusters without data a week ago, which the comparison excludes; up to two are named. */
export function notCompared(overview: Pick<Overview, 'clusters' | 'not_compared'>): string {
  const { not_compared: ids } = overview
  if (ids.length === 0) return ''
  const names = ids.length > 2 ? count(ids.length, 'cluster') : ids.map(nameIn(overview)).join(' and ')
  return `excluding ${names} (no data 7 days ago)`
}
