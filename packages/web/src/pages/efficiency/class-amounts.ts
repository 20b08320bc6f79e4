import { addedUpGroups } from '../../format/money.ts'
import { amountOf, type ClassKey, type Classes } from '../../parts/money-classes.ts'

/** The amounts of the classes as shown. The tables of the page have the same total, idle cost and unallocated cost. */
export function classAmounts(classes: Classes): {
  shown: Record<ClassKey, string>
  total: string
  unallocatedUnits: number
} {
  const amount = (key: ClassKey) => amountOf(classes, key)
  const { items, units, sumOf } = addedUpGroups([
    [amount('used'), amount('unmeasured')],
    [amount('workload_idle'), amount('cluster_idle')],
  ])
  const [[used = '', unmeasured = ''] = [], [requested = '', unallocated = ''] = []] = items
  return {
    shown: { used, unmeasured, workload_idle: requested, cluster_idle: unallocated },
    total: sumOf([0, 1]),
    unallocatedUnits: units[1]?.[1] ?? 0,
  }
}
