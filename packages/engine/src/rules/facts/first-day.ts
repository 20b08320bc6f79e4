import { count } from '../../count.ts'
import { passed } from '../checks.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import type { Check, Target, Withheld } from '../finding.ts'

const HOURS_KNOWN_MIN = 24
const DAYS_LOOKED_AT = 7

/** For the guards of every rule that removes or replaces nodes. */
export const FIRST_DAY_GUARD = `Withheld until ${HOURS_KNOWN_MIN} hours of the last ${DAYS_LOOKED_AT} days have data: later hours may be busier and need the nodes.`

/** Null once one day of data exists. */
export function withholdFirstDay({ hoursKnown }: ClusterFacts, target: Target): Withheld | null {
  if (hoursKnown >= HOURS_KNOWN_MIN) return null
  const detail = `Only ${count(hoursKnown, 'hour')} of the last ${DAYS_LOOKED_AT} days ${hoursKnown === 1 ? 'has' : 'have'} data. Later hours may be busier and need the nodes.`
  const unlock = `Wait until ${HOURS_KNOWN_MIN} hours have data.`
  return { kind: 'withheld', target, reason: 'too_little_history', detail, unlock }
}

export const firstDayCheck = ({ hoursKnown }: ClusterFacts): Check =>
  passed(`At least ${HOURS_KNOWN_MIN} hours of the last ${DAYS_LOOKED_AT} days have data`, count(hoursKnown, 'hour'))
