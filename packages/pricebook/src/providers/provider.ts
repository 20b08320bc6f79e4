import type { CloudProvider } from '@plimsoll/engine/vocabulary'

/** The reported fields of a node that identify its provider. */
export type ReportedNode = { name: string; labels: Readonly<Record<string, string>>; gpuCapacity: number }

export type ServerlessProduct = 'eks-fargate' | 'gke-autopilot-general'

/** A custom machine type, parsed from its name. */
export type CustomMachine = { family: string; vcpu: number; memoryGib: number; hasExtendedMemory: boolean }

/** All differences between clouds except for prices. An omitted property does not exist at that provider. */
export type Provider = {
  /** The name in the price tables. */
  id: CloudProvider
  /** Other spellings, without blanks, dashes and dots. */
  aliases: readonly string[]
  regions?: {
    /** The name in the price tables for a region, a zone or a display name, given in lower case. */
    canonical: (name: string) => string
    /** The region that a local zone belongs to. */
    parent?: (region: string) => string
    /** Why this region has no prices in USD. */
    notInUsd?: (region: string) => string | undefined
  }
  machines?: {
    /** The family in the list of spot ratios. */
    family: (instanceType: string) => string
    custom?: (instanceType: string) => CustomMachine | undefined
    /** Flexible shapes: the capacity of the node is priced. */
    hasFlexibleShapes?: boolean
    /** GPUs can be attached to types that are listed without GPUs. */
    sellsGpusApart?: boolean
  }
  disks?: {
    /** Default storage classes of clusters, and their disk types. */
    byStorageClass: Readonly<Record<string, string>>
    /** CSI drivers of this provider only. */
    drivers?: readonly string[]
    /** The price depends on the sold size, not only on the class. */
    areSoldInSizes?: boolean
    snapshotClass?: string
    /** Newer disk types with the same performance or better at a lower price. */
    replacedBy?: Readonly<Record<string, string>>
  }
  /** The load balancer type by the type of a Service. Absent: the type does not affect the price. */
  balancers?: Readonly<Record<string, string>>
  controlPlane?: {
    service: string
    /** The default tier of a cluster. */
    tier?: string
    /** The day on which a version leaves standard support, if that raises the fee. */
    standardSupportEnds?: Readonly<Record<string, string>>
    /** A self-managed control plane. */
    isSelfManaged?: boolean
  }
  serverless?: (node: ReportedNode) => ServerlessProduct | undefined
  /** The provider charges a fee for each managed node, in addition to the node. */
  isAutoMode?: (node: ReportedNode) => boolean
}
