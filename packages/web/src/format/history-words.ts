import type { HistoryEntry } from '@plimsoll/contract'
import { capital, plainName, stateName } from './labels.ts'

type Entry = Pick<HistoryEntry, 'action' | 'from_status' | 'to_status'>

/** Actions of people, of the analysis and of the verification. */
const words: Record<string, string> = {
  apply: 'Marked as implemented',
  approve: 'Approved',
  awaiting: 'Pending verification',
  expired: 'Expired',
  found: 'Found',
  not_observed: 'Not observed',
  partial: 'Partially applied',
  regressed: 'Regressed',
  reject: 'Rejected',
  reopen: 'Reopened',
  resolved: 'Resolved',
  reverted: 'Reverted',
  snooze: 'Snoozed',
  superseded: 'Superseded',
  updated: 'Updated',
  verified: 'Verified',
  withdraw: 'Approval withdrawn',
}

/** What happened, as a participle. The new status follows only if the words do not name it. */
export function historyWords({ action, from_status: from, to_status: to }: Entry): string {
  const what = action === 'withdraw' && from === 'implemented' ? '“Implemented” undone' : words[action]
  const known = what ?? capital(plainName(action))
  const isPlain = from === to || action in named || known === stateName(to)
  return isPlain ? known : `${known}. Status: ${stateName(to)}`
}

/** Words that imply the new status. */
const named: Record<string, true> = { apply: true, approve: true, found: true, reject: true, snooze: true }
