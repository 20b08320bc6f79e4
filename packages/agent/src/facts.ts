import type {
  BalancerVersion,
  ContainerEvent,
  ContainerSample,
  NamespaceVersion,
  NodeVersion,
  ObjectEnd,
  ObjectVersion,
  PodVersion,
  VolumeVersion,
} from '@plimsoll/contract'

/** All containers of one node in one minute with enough samples. */
export type NodeMinute = { readonly nodeRef: number; readonly samples: readonly ContainerSample[] }

/** All objects of a cluster that exist at one moment. */
export type Living = {
  readonly namespaces: readonly NamespaceVersion[]
  readonly nodes: readonly NodeVersion[]
  readonly pods: readonly PodVersion[]
  readonly volumes: readonly VolumeVersion[]
  readonly balancers: readonly BalancerVersion[]
  readonly objects: readonly ObjectVersion[]
}

/**
 * Changes and usage of one minute. The observer assigns each `ref` once; an agent log assigns its own refs. An object
 * has at most one version or end per second.
 */
export type MinuteFacts = {
  /** Minutes since 1970. */
  readonly minute: number
  readonly namespaces: NamespaceVersion[]
  readonly nodes: NodeVersion[]
  readonly pods: PodVersion[]
  readonly volumes: VolumeVersion[]
  readonly balancers: BalancerVersion[]
  readonly objects: ObjectVersion[]
  readonly ends: ObjectEnd[]
  readonly events: ContainerEvent[]
  /** Contains all nodes that existed during a part of the minute. */
  usage: readonly NodeMinute[]
}

export function noFacts(minute: number): MinuteFacts {
  const things = { namespaces: [], nodes: [], pods: [], volumes: [], balancers: [], objects: [] }
  return { minute, ...things, ends: [], events: [], usage: [] }
}
