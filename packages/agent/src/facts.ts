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

/** All containers of one node in one minute, of which enough was seen. */
export type NodeMinute = { readonly nodeRef: number; readonly samples: readonly ContainerSample[] }

/** Everything of a cluster that exists at one moment. */
export type Living = {
  readonly namespaces: readonly NamespaceVersion[]
  readonly nodes: readonly NodeVersion[]
  readonly pods: readonly PodVersion[]
  readonly volumes: readonly VolumeVersion[]
  readonly balancers: readonly BalancerVersion[]
  readonly objects: readonly ObjectVersion[]
}

/**
 * What happened in one minute. A `ref` is the number of an object where it was seen and is never given twice; an agent's log
 * gives objects its own numbers. No object has two versions of the same second, and none both ends and changes in one.
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
  /** In it are all nodes that were there for some of the minute. */
  usage: readonly NodeMinute[]
}

export function noFacts(minute: number): MinuteFacts {
  const things = { namespaces: [], nodes: [], pods: [], volumes: [], balancers: [], objects: [] }
  return { minute, ...things, ends: [], events: [], usage: [] }
}
