import { parseBytes, parseMillicores } from '../../units.ts'
import type { WorkloadFacts } from './cluster-facts.ts'

/** A JVM needs memory outside the heap for threads, code and buffers. */
export const HEAP_FACTOR = 1.25

type Annotated = Pick<WorkloadFacts, 'labels' | 'annotations'>

/** Annotations override labels of the same name. Labels count because some agents send no annotations. */
const valueOf = ({ labels, annotations }: Annotated, name: string) =>
  annotations[`plimsoll.dev/${name}`] ?? labels[`plimsoll.dev/${name}`]

export const isIgnored = (workload: Annotated) => valueOf(workload, 'ignore') === 'true'

/** Floors from annotations; null: none, or not readable. */
export function annotatedFloors(workload: Annotated): { cpuMillicores: number | null; memoryKib: number | null } {
  const cpu = parseMillicores(valueOf(workload, 'min-cpu') ?? '')
  const memory = parseBytes(valueOf(workload, 'min-memory') ?? '')
  return {
    cpuMillicores: cpu.kind === 'ok' ? cpu.value : null,
    memoryKib: memory.kind === 'ok' ? Math.ceil(memory.value / 1024) : null,
  }
}

export type Heap =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly kib: number }
  /** A JVM with an unknown heap size. */
  | { readonly kind: 'unknown' }

export function annotatedHeap(workload: Annotated): Heap {
  const heap = parseBytes(valueOf(workload, 'jvm-heap') ?? '')
  if (heap.kind === 'ok') return { kind: 'known', kib: Math.ceil(heap.value / 1024) }
  return valueOf(workload, 'jvm') === 'true' ? { kind: 'unknown' } : { kind: 'none' }
}

/** Idle by design until it is needed. */
export const isStandby = (workload: Annotated) => valueOf(workload, 'standby') === 'true'
