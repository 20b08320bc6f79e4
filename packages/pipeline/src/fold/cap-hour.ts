import type { HourQuantities } from './finalise-hours.ts'
import { HourSums, ownerOf, type WorkloadKey, type WorkloadRow } from './hour-sums.ts'
import { RESOURCES } from '@plimsoll/engine'

export type Caps = {
  /** Of one namespace in one hour. */
  workloads: number
  /** Of one workload in one hour. */
  labelSets: number
}

export const caps: Caps = { workloads: 2000, labelSets: 50 }

/** Stands for the merged workloads beyond the cap. Kubernetes does not allow this name. */
export const OTHER_WORKLOADS = '__other__'

export type CappedHour = { otherWorkloads: number }

/**
 * Limits the rows of an hour. Beyond the cap the smallest workloads of a namespace are merged, or the labels of a
 * workload are dropped. Sums stay the same. Late data may merge rows that were separate before.
 */
export function capHour<Hour extends HourQuantities>(
  folded: Hour,
  { workloads, labelSets }: Caps = caps,
): Hour & CappedHour {
  const rows = [...folded.measured.workloads, ...folded.bridged.workloads]
  const others = smallestBeyond(rows, workloads)
  const unlabelled = tooManyLabelSets(rows, labelSets)
  const otherWorkloads = others.size + unlabelled.size
  if (otherWorkloads === 0) return { ...folded, otherWorkloads }
  const renamed = <Row extends Omit<WorkloadKey, 'classKey'>>(row: Row): Row => {
    if (others.has(nameOf(row)))
      return { ...row, workloadKind: OTHER_WORKLOADS, workloadName: OTHER_WORKLOADS, labels: {} }
    return unlabelled.has(nameOf(row)) ? { ...row, labels: {} } : row
  }
  const joined = ({ workloads: own, nodes }: HourQuantities['measured']) => ({
    workloads: join(own.map(renamed)),
    nodes,
  })
  const cloudResources = folded.cloudResources.map((row) => (row.owner === 'workload' ? renamed(row) : row))
  return {
    ...folded,
    measured: joined(folded.measured),
    bridged: joined(folded.bridged),
    cloudResources,
    otherWorkloads,
  }
}

type Named = Pick<WorkloadKey, 'namespace' | 'workloadKind' | 'workloadName'>

const nameOf = ({ namespace, workloadKind, workloadName }: Named) =>
  JSON.stringify([namespace, workloadKind, workloadName])

/** The least allocated workloads of a namespace with too many workloads; ties are broken by name. */
function smallestBeyond(rows: readonly WorkloadRow[], max: number): Set<string> {
  const byNamespace = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const sizes = byNamespace.get(row.namespace) ?? new Map<string, number>()
    byNamespace.set(row.namespace, sizes)
    sizes.set(nameOf(row), (sizes.get(nameOf(row)) ?? 0) + row.use.cpu.alloc + row.use.memory.alloc)
  }
  const beyond = [...byNamespace.values()].flatMap((sizes) =>
    [...sizes].sort(([a, large], [b, small]) => small - large || (a < b ? -1 : 1)).slice(max),
  )
  return new Set(beyond.map(([name]) => name))
}

function tooManyLabelSets(rows: readonly WorkloadRow[], max: number): Set<string> {
  const sets = new Map<string, Set<string>>()
  for (const row of rows) {
    const own = sets.get(nameOf(row)) ?? new Set<string>()
    sets.set(nameOf(row), own)
    own.add(JSON.stringify(Object.entries(row.labels).sort(([a], [b]) => (a < b ? -1 : 1))))
  }
  return new Set([...sets].filter(([, own]) => own.size > max).map(([name]) => name))
}

function join(rows: readonly WorkloadRow[]): WorkloadRow[] {
  const sums = new HourSums()
  for (const row of rows) {
    const sum = sums.workload(ownerOf(row), row.classKey)
    sum.seconds += row.seconds
    sum.containerSeconds += row.containerSeconds
    for (const resource of RESOURCES) {
      for (const use of ['request', 'usage', 'alloc', 'used', 'unmeasured', 'knownSeconds'] as const) {
        sum.use[resource][use] += row.use[resource][use]
      }
    }
  }
  return sums.workloads
}
