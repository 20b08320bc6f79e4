import { parseBytes, parseMillicores } from '../../units.ts'
import type { WorkloadFacts } from './cluster-facts.ts'

type Marked = Pick<WorkloadFacts, 'labels' | 'annotations'>

/** What people write on a workload. An annotation beats a label of the same name; labels count because some agents see no more. */
const markOf = ({ labels, annotations }: Marked, name: string) =>
  annotations[`plimsoll.dev/${name}`] ?? labels[`plimsoll.dev/${name}`]

export const isIgnored = (workload: Marked) => markOf(workload, 'ignore') === 'true'

/** Floors that somebody set on the workload itself; null where there is none, or nothing that can be read. */
export function markedFloors(workload: Marked): { cpuMillicores: number | null; memoryKib: number | null } {
  const cpu = parseMillicores(markOf(workload, 'min-cpu') ?? '')
  const memory = parseBytes(markOf(workload, 'min-memory') ?? '')
  return {
    cpuMillicores: cpu.kind === 'ok' ? cpu.value : null,
    memoryKib: memory.kind === 'ok' ? Math.ceil(memory.value / 1024) : null,
  }
}

export type Heap =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly kib: number }
  /** A Java machine whose heap nobody has told. */
  | { readonly kind: 'unknown' }

export function markedHeap(workload: Marked): Heap {
  const heap = parseBytes(markOf(workload, 'jvm-heap') ?? '')
  if (heap.kind === 'ok') return { kind: 'known', kib: Math.ceil(heap.value / 1024) }
  return markOf(workload, 'jvm') === 'true' ? { kind: 'unknown' } : { kind: 'none' }
}

/** Meant to do nothing until it is needed. */
export const isStandby = (workload: Marked) => markOf(workload, 'standby') === 'true'
