import { autoscalerStatusFacts } from '../kinds/autoscaler-status.ts'
import { balancerFacts, sliceFacts, type SliceFacts } from '../kinds/balancers.ts'
import { csiNodeFacts } from '../kinds/csi-nodes.ts'
import type { KindName } from '../kinds/kind-list.ts'
import type { Metadata } from '../kinds/kube-types.ts'
import {
  autoscalerFacts,
  disruptionBudgetFacts,
  limitRangeFacts,
  nodePoolFacts,
  quotaFacts,
  verticalAutoscalerFacts,
  type ObjectFacts,
} from '../kinds/objects.ts'
import { controllerOf, PodReader } from '../kinds/pods.ts'
import { storageClassFacts, volumeFacts } from '../kinds/volumes.ts'
import { workloadFacts, type WorkloadKind, type WorkloadOptions } from '../kinds/workloads.ts'
import type { KubeObject } from '../watch/list-all.ts'
import type { Cluster } from './cluster.ts'
import type { ReplicaSetFacts } from './owners.ts'

/** Receives the events of one kind. */
export type Sink<Facts extends { readonly uid: string } = { readonly uid: string }> = {
  /** Extracts the needed fields; undefined: the object is ignored. */
  read(object: KubeObject): Facts | undefined
  set(facts: Facts, second: number): void
  end(uid: string, second: number): void
  /** The uids of the known objects. */
  uids(): Iterable<string>
}

/** One sink per kind. */
export function sinksOf(cluster: Cluster, options: WorkloadOptions): Record<KindName, Sink> {
  const { owners, nodes, volumes, balancers, pods, namespaces } = cluster
  const podReader = new PodReader()
  const object = (read: (object: KubeObject) => ObjectFacts | undefined) =>
    kept(read, {
      set: (facts, second) => void cluster.objects.set(facts, second),
      end: (uid, second) => void cluster.objects.end(uid, second),
    })
  const controller = (kind: WorkloadKind) =>
    kept((each: KubeObject) => workloadFacts(kind, each, options), {
      set: (facts, second) => cluster.controllers.set(facts, second),
      end: (uid, second) => cluster.controllers.end(uid, second),
    })
  return {
    nodes: sink({
      read: (each) => nodes.read(each),
      set: (facts, second) => nodes.set(facts, second),
      end: (uid, second) => nodes.end(uid, second),
      uids: () => nodes.uids(),
    }),
    csinodes: sink({
      read: csiNodeFacts,
      set: (facts, second) => nodes.setCsi(facts, second),
      end: (uid, second) => nodes.endCsi(uid, second),
      uids: () => nodes.csiUids(),
    }),
    pods: sink({
      read: (each) => podReader.read(each),
      set: (facts, second) => pods.set(facts, second),
      end: (uid, second) => pods.end(uid, second),
      uids: () => pods.uids(),
    }),
    namespaces: sink({
      read: namespaceFacts,
      set: (facts, second) => void namespaces.set(facts, second),
      end: (uid, second) => void namespaces.end(uid, second),
      uids: () => namespaces.uids(),
    }),
    replicasets: sink({
      read: replicaSetFacts,
      set: (facts) => owners.setReplicaSet(facts),
      end: (uid) => owners.endReplicaSet(uid),
      uids: () => owners.replicaSets.keys(),
    }),
    deployments: controller('Deployment'),
    statefulsets: controller('StatefulSet'),
    daemonsets: controller('DaemonSet'),
    jobs: controller('Job'),
    cronjobs: controller('CronJob'),
    rollouts: controller('Rollout'),
    horizontalpodautoscalers: object(autoscalerFacts),
    verticalpodautoscalers: object(verticalAutoscalerFacts),
    poddisruptionbudgets: object(disruptionBudgetFacts),
    limitranges: object(limitRangeFacts),
    resourcequotas: object(quotaFacts),
    nodepools: object(nodePoolFacts),
    configmaps: object(autoscalerStatusFacts),
    persistentvolumes: sink({
      read: volumeFacts,
      set: (facts, second) => volumes.set(facts, second),
      end: (uid, second) => volumes.end(uid, second),
      uids: () => volumes.uids(),
    }),
    storageclasses: sink({
      read: storageClassFacts,
      set: (facts, second) => volumes.setClass(facts, second),
      end: (uid) => volumes.endClass(uid),
      uids: () => volumes.classUids(),
    }),
    services: sink({
      read: balancerFacts,
      set: (facts, second) => balancers.set(facts, second),
      end: (uid, second) => balancers.end(uid, second),
      uids: () => balancers.uids(),
    }),
    endpointslices: sink<SliceFacts>({
      read: (each) => {
        const slice = sliceFacts(each)
        return slice && balancers.isBalanced(slice.namespace, slice.service) ? slice : undefined
      },
      set: (facts, second) => balancers.setSlice(facts, second),
      end: (uid, second) => balancers.endSlice(uid, second),
      uids: () => balancers.sliceUids(),
    }),
  }
}

/** Hides the type that a sink reads and stores. */
const sink = <Facts extends { readonly uid: string }>(of: Sink<Facts>): Sink => of

/** For kinds that share a store: tracks the uids of this kind. */
function kept<Facts extends { readonly uid: string }>(
  read: (object: KubeObject) => Facts | undefined,
  store: Pick<Sink<Facts>, 'set' | 'end'>,
): Sink {
  const own = new Set<string>()
  return sink<Facts>({
    read,
    set: (facts, second) => {
      own.add(facts.uid)
      store.set(facts, second)
    },
    end: (uid, second) => {
      if (own.delete(uid)) store.end(uid, second)
    },
    uids: () => own,
  })
}

function namespaceFacts({ metadata = {} }: { metadata?: Metadata }) {
  const { uid, name, labels = {} } = metadata
  return uid === undefined || name === undefined ? undefined : { uid, name, labels }
}

function replicaSetFacts({ metadata = {} }: { metadata?: Metadata }): ReplicaSetFacts | undefined {
  const { uid, name } = metadata
  const owner = controllerOf(metadata.ownerReferences)
  return uid === undefined || name === undefined ? undefined : { uid, name, ...(owner ? { owner } : {}) }
}
