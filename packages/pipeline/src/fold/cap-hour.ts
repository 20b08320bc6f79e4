import type { HourQuantities } from './folded-hours.ts'
import { HourSums, ownerOf, type WorkloadKey, type WorkloadRow } from './hour-sums.ts'
import { RESOURCES } from '@plimsoll/engine'

export type Caps = {
  /** Of one namespace in one hour. */
  workloads: number
  /** Of one workload in one hour. */
  labelSets: number
}

export const caps: Caps = { workloads: 2000, labelSets: 50 }

/** Stands for workloads that are too many to be kept apart. Kubernetes has no such names. */
export const OTHER_WORKLOADS = '__other__'

export type CappedHour = { otherWorkloads: number }

/**
 * Bounds what an hour stores: beyond so many workloads of a namespace the smallest are one, and beyond so many label sets of a
 * workload the labels are left out. Sums stay what they are; late data may sum up what was kept apart before.
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

/** Of a namespace with too many workloads, those that were allocated least; equal ones by name. */
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
