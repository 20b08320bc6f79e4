import type { PodShape } from '../allocation/pod-request.ts'
import { compare } from '../apportion.ts'

/** The pod changes of a recommendation. */
export type PodChange =
  | {
      readonly kind: 'resize'
      readonly workload: string
      readonly container: string
      /** Microcores and KiB; absent: unchanged. */
      readonly cpu?: number
      readonly memory?: number
    }
  | { readonly kind: 'remove'; readonly pods: readonly string[] }

export type Proposal = { readonly id: string; readonly changes: readonly PodChange[] }

type Resize = Extract<PodChange, { kind: 'resize' }>

/** Sorted by id, so that the input order does not matter. */
export function sortProposals(proposals: readonly Proposal[]): Proposal[] {
  return [...proposals].sort((a, b) => compare(a.id, b.id))
}

export function resized(shape: PodShape, { container, cpu, memory }: Resize): PodShape {
  const apply = <Container extends PodShape['containers'][number]>(each: Container): Container => {
    if (each.name !== container) return each
    const request = {
      ...each.request,
      ...(cpu === undefined ? {} : { cpu }),
      ...(memory === undefined ? {} : { memory }),
    }
    const { allocated: _settled, ...rest } = { ...each, request }
    return rest as Container
  }
  return {
    ...shape,
    containers: shape.containers.map(apply),
    ...(shape.initContainers ? { initContainers: shape.initContainers.map(apply) } : {}),
  }
}
