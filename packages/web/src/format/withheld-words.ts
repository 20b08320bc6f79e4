/** Why no advice is given, short enough for a list of reasons. */
const reasons: Record<string, string> = {
  autoscaled: 'scaled by its CPU',
  cannot_move: 'cannot be moved',
  excluded: 'excluded by policy',
  heap_unknown: 'heap not known',
  idle_workload: 'may go altogether',
  ignored: 'marked to be ignored',
  low_coverage: 'gaps in its history',
  managed_by: 'sized by something else',
  no_price: 'no price',
  no_room: 'no room for more',
  no_source: 'facts are missing',
  rejected: 'rejected',
  restarting: 'keeps restarting',
  saving_too_small: 'saves too little',
  system_namespace: 'part of the system',
  taken_back: 'taken back',
  too_fresh: 'too new',
  too_little_history: 'too little history',
  too_spiky: 'too spiky',
  unequal_replicas: 'unequal replicas',
}

/** A reason that is newer than these words reads as its id does. */
export const reasonWords = (reason: string) => reasons[reason] ?? reason.replaceAll('_', ' ')
