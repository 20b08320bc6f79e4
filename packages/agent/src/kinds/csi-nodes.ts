import type { Metadata } from './kube-types.ts'

type CsiNodeObject = {
  metadata?: Metadata
  spec?: { drivers?: { name?: string; allocatable?: { count?: number } }[] }
}

/** The reports of the CSI drivers of a node. A CSINode has the name of its node. */
export type CsiNodeFacts = {
  readonly uid: string
  readonly node: string
  /** Attach limits by driver. A driver without a count has no limit. */
  readonly attachLimits: Readonly<Record<string, number>>
}

export function csiNodeFacts({ metadata = {}, spec = {} }: CsiNodeObject): CsiNodeFacts | undefined {
  const { uid, name: node } = metadata
  if (uid === undefined || node === undefined) return undefined
  const limits = (spec.drivers ?? []).flatMap(({ name, allocatable }) =>
    name === undefined || allocatable?.count === undefined ? [] : [[name, allocatable.count] as const],
  )
  return { uid, node, attachLimits: Object.fromEntries(limits) }
}
