/** Why a recommendation is withheld, short enough for a list of reasons. */
const reasons: Record<string, string> = {
  autoscaled: 'HPA scales on CPU',
  cannot_move: 'nodes cannot be drained',
  excluded: 'excluded by policy',
  heap_unknown: 'JVM heap unknown',
  idle_workload: 'workload is idle',
  ignored: 'ignored by annotation',
  low_coverage: 'low usage coverage',
  managed_by: 'requests managed by another controller',
  no_price: 'not priced',
  no_room: 'no node has capacity',
  no_source: 'data source missing',
  rejected: 'rejected',
  restarting: 'restarting',
  saving_too_small: 'savings below the minimum',
  system_namespace: 'system namespace',
  taken_back: 'reverted',
  too_fresh: 'created too recently',
  too_little_history: 'too little history',
  too_spiky: 'usage too irregular',
  unequal_replicas: 'uneven replicas',
}

/** An unknown reason is shown as its id. */
export const reasonLabels = (reason: string) => reasons[reason] ?? reason.replaceAll('_', ' ')
