import { parseBytes, parseMillicores } from '../../units.ts'
import type { WorkloadFacts } from './cluster-facts.ts'

type Annotated = Pick<WorkloadFacts, 'labels' | 'annotations'>

/** What people write on a workload. An annotation beats a label of the same name; labels count because some agents see no more. */
const valueOf = ({ labels, annotations }: Annotated, name: string) =>
  annotations[`plimsoll.dev/${name}`] ?? labels[`plimsoll.dev/${name}`]

export const isIgnored = (workload: Annotated) => valueOf(workload, 'ignore') === 'true'

/** Floors that somebody set on the workload itself; null where there is none, or nothing that can be read. */
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
  /** A Java machine whose heap nobody has told. */
  | { readonly kind: 'unknown' }

export function annotatedHeap(workload: Annotated): Heap {
  const heap = parseBytes(valueOf(workload, 'jvm-heap') ?? '')
  if (heap.kind === 'ok') return { kind: 'known', kib: Math.ceil(heap.value / 1024) }
  return valueOf(workload, 'jvm') === 'true' ? { kind: 'unknown' } : { kind: 'none' }
}

/** Meant to do nothing until it is needed. */
export const isStandby = (workload: Annotated) => valueOf(workload, 'standby') === 'true'
