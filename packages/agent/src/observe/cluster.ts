import type { Labels, NamespaceVersion, NodeVersion, ObjectVersion } from '@plimsoll/contract'
import type { Living, MinuteFacts } from '../facts.ts'
import { kubeletPlace, nodeFacts, type KubeletPlace, type NodeFacts, type NodeObject } from '../kinds/nodes.ts'
import type { ObjectFacts } from '../kinds/objects.ts'
import { Balancers } from './balancers.ts'
import { Chronicle, Refs, type News } from './chronicle.ts'
import { Controllers } from './controllers.ts'
import { Owners } from './owners.ts'
import { Pods, type PodEntry } from './pods.ts'
import { Volumes } from './volumes.ts'

type NamespaceFacts = { readonly uid: string; readonly name: string; readonly labels: Labels }
/** Where a node's kubelet listens is known, and never told. */
type KnownNode = { readonly uid: string; readonly node: NodeFacts; readonly kubelet: KubeletPlace | undefined }

/** All that is known of a cluster at this moment, and all that has happened since it was last told. */
export class Cluster {
  readonly refs = new Refs()
  readonly owners = new Owners()
  readonly namespaces = new Chronicle<NamespaceFacts>(this.refs)
  readonly objects = new Chronicle<ObjectFacts>(this.refs)
  readonly controllers = new Controllers(this.owners, this.objects)
  readonly volumes = new Volumes(this.refs)
  readonly pods = new Pods({
    refs: this.refs,
    owners: this.owners,
    nodeRef: (name) => this.#nodeRefs.get(name),
    onMounts: (pod: PodEntry, isMounted, second) => this.volumes.setMounts(pod, isMounted, second),
  })
  readonly balancers: Balancers
  readonly #nodes = new Chronicle<KnownNode>(this.refs, (a, b) => JSON.stringify(a.node) === JSON.stringify(b.node))
  readonly #nodeRefs = new Map<string, number>()
  /** Nodes that have gone since the last minute was told: they were there for some of it. */
  #leftNodes: number[] = []

  constructor(onNewBalancer: () => void) {
    this.balancers = new Balancers(this.refs, (uid) => this.pods.refOf(uid), onNewBalancer)
  }

  readNode(object: NodeObject): KnownNode | undefined {
    const node = nodeFacts(object)
    return node && { uid: node.uid, node, kubelet: kubeletPlace(object) }
  }

  *kubelets(): Iterable<KubeletPlace> {
    for (const { facts } of this.#nodes.entries()) if (facts.kubelet) yield facts.kubelet
  }

  nodeUids(): Iterable<string> {
    return this.#nodes.uids()
  }

  setNode(known: KnownNode, second: number): void {
    const { ref } = this.#nodes.set(known, second)
    this.#nodeRefs.set(known.node.name, ref)
  }

  endNode(uid: string, second: number): void {
    const entry = this.#nodes.end(uid, second)
    if (!entry) return
    const { name } = entry.facts.node
    if (this.#nodeRefs.get(name) === entry.ref) this.#nodeRefs.delete(name)
    if (entry.hasEarlier || entry.news?.isVoid !== true) this.#leftNodes.push(entry.ref)
  }

  living(second: number): Living {
    const versions = <Facts extends { uid: string }>(chronicle: Chronicle<Facts>) =>
      chronicle.living(second).map(({ ref, from, facts }) => ({ ref, from, ...facts }))
    return {
      namespaces: versions(this.namespaces),
      nodes: this.#nodes.living(second).map(({ ref, from, facts }) => ({ ref, from, ...facts.node })),
      pods: this.pods.living(second),
      volumes: this.volumes.living(second),
      balancers: this.balancers.living(second),
      objects: versions(this.objects),
    }
  }

  /** All but what was used. */
  take(minute: number, second: number): MinuteFacts & { nodeRefs: number[] } {
    const taken = {
      namespaces: this.namespaces.take(),
      nodes: this.#nodes.take(),
      pods: this.pods.take(second),
      volumes: this.volumes.take(),
      balancers: this.balancers.take(),
      objects: this.objects.take(),
    }
    const nodeRefs = [...this.#nodes.entries()].map(({ ref }) => ref).concat(this.#leftNodes)
    this.#leftNodes = []
    return {
      minute,
      namespaces: taken.namespaces.versions.map((each): NamespaceVersion => versionOf(each)),
      nodes: taken.nodes.versions.map(({ entry: { ref }, from, facts }): NodeVersion => ({ ref, from, ...facts.node })),
      pods: taken.pods.versions,
      volumes: taken.volumes.versions,
      balancers: taken.balancers.versions,
      objects: taken.objects.versions.map((each): ObjectVersion => versionOf(each)),
      ends: Object.values(taken).flatMap(({ ends }) => ends),
      events: taken.pods.events,
      usage: [],
      nodeRefs,
    }
  }
}

const versionOf = <Facts extends { uid: string }>({ entry: { ref }, from, facts }: News<Facts>) => ({
  ref,
  from,
  ...facts,
})
