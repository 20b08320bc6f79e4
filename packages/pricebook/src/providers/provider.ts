/** A node as the agent reports it, as far as a provider is recognised by it. */
export type ReportedNode = { name: string; labels: Readonly<Record<string, string>>; gpuCapacity: number }

export type ServerlessProduct = 'eks-fargate' | 'gke-autopilot-general'

/** A machine of any size, as its type names it. */
export type CustomMachine = { family: string; vcpu: number; memoryGib: number; hasExtendedMemory: boolean }

/** Everything that differs between clouds and is no price. What a provider leaves out does not exist there. */
export type Provider = {
  /** The name in the price tables. */
  id: string
  /** Other spellings, without blanks, dashes and dots. */
  aliases: readonly string[]
  regions?: {
    /** The name in the price tables for a region, a zone or a display name, given in lower case. */
    canonical: (name: string) => string
    /** The region that a local zone belongs to. */
    parent?: (region: string) => string
    /** Why no price of this region is known in USD. */
    notInUsd?: (region: string) => string | undefined
  }
  machines?: {
    /** The family by which spot ratios are listed. */
    family: (instanceType: string) => string
    /** The family by which commitments are listed, where it is another one. */
    commitmentFamily?: (instanceType: string) => string
    custom?: (instanceType: string) => CustomMachine | undefined
    /** Shapes without a size: the capacity of the node is priced. */
    hasFlexibleShapes?: boolean
    /** GPUs can be added to machines that are listed without. */
    sellsGpusApart?: boolean
  }
  disks?: {
    /** Storage classes that clusters come with, and the disks behind them. */
    byStorageClass: Readonly<Record<string, string>>
    /** CSI drivers that only this provider has. */
    drivers?: readonly string[]
    /** The price follows from the size that is sold, not only from the class. */
    areSoldInSizes?: boolean
    snapshotClass?: string
    /** Newer disks that cost less at the same size and do no less. */
    replacedBy?: Readonly<Record<string, string>>
  }
  /** By the type of a Service: which load balancer it is. Elsewhere the type does not decide the price. */
  balancers?: Readonly<Record<string, string>>
  controlPlane?: {
    service: string
    /** The tier of a cluster unless someone says otherwise. */
    tier?: string
    /** The day on which a version leaves standard support, where that costs more. */
    standardSupportEnds?: Readonly<Record<string, string>>
    /** No provider runs the control plane. */
    isSelfManaged?: boolean
  }
  serverless?: (node: ReportedNode) => ServerlessProduct | undefined
  /** The provider charges for each machine that it manages, on top of the machine. */
  isAutoMode?: (node: ReportedNode) => boolean
}
