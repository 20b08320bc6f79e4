import { RESOURCES, type Resource } from '@plimsoll/engine'
import { unmeasuredUse, type SpanColumns } from '@plimsoll/engine/allocation'
import { PodSums } from './pod-sums.ts'

/** Unit-seconds of a workload in an hour. Integers, so that sums do not depend on the order. */
export type UseSums = {
  request: number
  usage: number
  alloc: number
  used: number
  /** The part of `used` in seconds without usage data. */
  unmeasured: number
  knownSeconds: number
}
export type WorkloadSums = { seconds: number; containerSeconds: number; use: Record<Resource, UseSums> }

export type NodeUseSums = {
  capacity: number
  allocatable: number
  alloc: number
  used: number
  unmeasured: number
  systemReserved: number
}
export type NodeSums = { seconds: number; use: Record<Resource, NodeUseSums> }

/** Identity of a stored row: its owner and the class that prices it. */
export type WorkloadKey = WorkloadNames & { classKey: string }

export type WorkloadNames = {
  readonly namespace: string
  readonly workloadKind: string
  readonly workloadName: string
  readonly labels: Readonly<Record<string, string>>
}

/** The owner of a row; equal owners have equal texts. Built once for all replicas, because every minute looks it up. */
export type WorkloadOwner = WorkloadNames & { readonly ownerText: string }

export type WorkloadRow = WorkloadKey & WorkloadSums
export type NodeRow = { nodeUid: string; classKey: string } & NodeSums

export function ownerOf({ namespace, workloadKind, workloadName, labels }: WorkloadNames): WorkloadOwner {
  return {
    namespace,
    workloadKind,
    workloadName,
    labels,
    ownerText: ownerTextOf({ namespace, workloadKind, workloadName, labels }),
  }
}

const ownerTextOf = ({ namespace, workloadKind, workloadName, labels }: WorkloadNames) =>
  JSON.stringify([namespace, workloadKind, workloadName, sortedPairs(labels)])

const noUse = (): UseSums => ({ request: 0, usage: 0, alloc: 0, used: 0, unmeasured: 0, knownSeconds: 0 })
const noNodeUse = (): NodeUseSums => ({
  capacity: 0,
  allocatable: 0,
  alloc: 0,
  used: 0,
  unmeasured: 0,
  systemReserved: 0,
})

/** The accumulated quantities of one hour. */
export class HourSums {
  /**
   * By class, then by the text of the owner. The texts are long, and joining them for each look-up would dominate the
   * cost.
   */
  readonly #workloads = new Map<string, Map<string, WorkloadRow>>()
  readonly nodes = new Map<string, NodeRow>()
  readonly pods = new PodSums()

  get workloads(): WorkloadRow[] {
    return [...this.#workloads.values()].flatMap((ofClass) => [...ofClass.values()])
  }

  workload(owner: WorkloadOwner, classKey: string): WorkloadRow {
    const ofClass = this.#workloads.get(classKey) ?? new Map<string, WorkloadRow>()
    this.#workloads.set(classKey, ofClass)
    const known = ofClass.get(owner.ownerText)
    if (known) return known
    const row = newRow(owner, classKey)
    ofClass.set(owner.ownerText, row)
    return row
  }

  node(nodeUid: string, classKey: string): NodeRow {
    const text = `${nodeUid} ${classKey}`
    const known = this.nodes.get(text)
    if (known) return known
    const row = { nodeUid, classKey, seconds: 0, use: { cpu: noNodeUse(), memory: noNodeUse(), gpu: noNodeUse() } }
    this.nodes.set(text, row)
    return row
  }
}

function newRow({ namespace, workloadKind, workloadName, labels }: WorkloadOwner, classKey: string): WorkloadRow {
  const use = { cpu: noUse(), memory: noUse(), gpu: noUse() }
  return { namespace, workloadKind, workloadName, labels, classKey, seconds: 0, containerSeconds: 0, use }
}

const sortedPairs = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))

/** Adds one row of the columns. `seconds` is its lifetime inside the allocated window. */
export function addRow(sums: WorkloadSums, columns: SpanColumns, row: number, seconds: number): void {
  sums.containerSeconds += seconds
  for (const resource of RESOURCES) {
    const { request, usage, known, alloc, used } = columns.lanes[resource]
    const sum = sums.use[resource]
    sum.request += (request[row] ?? 0) * seconds
    sum.usage += (usage[row] ?? 0) * seconds
    sum.alloc += alloc[row] ?? 0
    sum.used += used[row] ?? 0
    sum.unmeasured += unmeasuredUse(columns, resource, row)
    sum.knownSeconds += known[row] === 1 ? seconds : 0
  }
}

export function addNode(
  sums: NodeSums,
  columns: SpanColumns,
  size: { capacity: Record<Resource, number>; allocatable: Record<Resource, number> },
  seconds: number,
): void {
  sums.seconds += seconds
  for (const resource of RESOURCES) {
    const { total, used } = columns.lanes[resource]
    const sum = sums.use[resource]
    sum.capacity += size.capacity[resource] * seconds
    sum.allocatable += size.allocatable[resource] * seconds
    sum.alloc += total.alloc
    sum.systemReserved += total.systemReserved
    for (let row = 0; row < columns.count; row += 1) {
      sum.used += used[row] ?? 0
      sum.unmeasured += unmeasuredUse(columns, resource, row)
    }
  }
}
