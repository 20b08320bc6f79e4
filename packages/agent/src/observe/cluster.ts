import type { Labels, NamespaceVersion, ObjectVersion } from '@plimsoll/contract'
import type { Living, MinuteFacts } from '../facts.ts'
import type { ObjectFacts } from '../kinds/objects.ts'
import { Balancers } from './balancers.ts'
import { ObjectVersions, Refs, type News } from './object-versions.ts'
import { Controllers } from './controllers.ts'
import { Nodes } from './nodes.ts'
import { Owners } from './owners.ts'
import { Pods, type PodEntry } from './pods.ts'
import { Volumes } from './volumes.ts'

type NamespaceFacts = { readonly uid: string; readonly name: string; readonly labels: Labels }

/** The state of a cluster, and its changes since the last call. */
export class Cluster {
  readonly refs = new Refs()
  readonly owners = new Owners()
  readonly namespaces = new ObjectVersions<NamespaceFacts>(this.refs)
  readonly objects = new ObjectVersions<ObjectFacts>(this.refs)
  readonly controllers = new Controllers(this.owners, this.objects)
  readonly nodes = new Nodes(this.refs)
  readonly volumes = new Volumes(this.refs)
  readonly pods = new Pods({
    refs: this.refs,
    owners: this.owners,
    nodeRef: (name) => this.nodes.refOf(name),
    onMounts: (pod: PodEntry, isMounted, second) => this.volumes.setMounts(pod, isMounted, second),
  })
  readonly balancers: Balancers

  constructor(onNewBalancer: () => void) {
    this.balancers = new Balancers(this.refs, (uid) => this.pods.refOf(uid), onNewBalancer)
  }

  living(second: number): Living {
    const living = <Facts extends { uid: string }>(versions: ObjectVersions<Facts>) =>
      versions.living(second).map(({ ref, from, facts }) => ({ ref, from, ...facts }))
    return {
      namespaces: living(this.namespaces),
      nodes: this.nodes.living(second),
      pods: this.pods.living(second),
      volumes: this.volumes.living(second),
      balancers: this.balancers.living(second),
      objects: living(this.objects),
    }
  }

  /** The changes of the minute, without usage. */
  take(minute: number, second: number): MinuteFacts & { nodeRefs: number[] } {
    const taken = {
      namespaces: this.namespaces.take(),
      nodes: this.nodes.take(),
      pods: this.pods.take(second),
      volumes: this.volumes.take(),
      balancers: this.balancers.take(),
      objects: this.objects.take(),
    }
    return {
      minute,
      namespaces: taken.namespaces.versions.map((each): NamespaceVersion => versionOf(each)),
      nodes: taken.nodes.versions,
      pods: taken.pods.versions,
      volumes: taken.volumes.versions,
      balancers: taken.balancers.versions,
      objects: taken.objects.versions.map((each): ObjectVersion => versionOf(each)),
      ends: Object.values(taken).flatMap(({ ends }) => ends),
      events: taken.pods.events,
      usage: [],
      nodeRefs: taken.nodes.refs,
    }
  }
}

const versionOf = <Facts extends { uid: string }>({ entry: { ref }, from, facts }: News<Facts>) => ({
  ref,
  from,
  ...facts,
})
