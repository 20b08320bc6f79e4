import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Scenario } from '@plimsoll/simulator'
import type { RealCluster } from '../end-to-end/real-cluster.ts'
import { put } from '../manifests/render.ts'

const group = 'snapshot.storage.k8s.io'

const snapshotKinds = [
  { kind: 'VolumeSnapshot', plural: 'volumesnapshots', scope: 'Namespaced' },
  { kind: 'VolumeSnapshotContent', plural: 'volumesnapshotcontents', scope: 'Cluster' },
].map(({ kind, plural, scope }) => ({
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: {
    name: `${plural}.${group}`,
    // Required for groups of Kubernetes.
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814' },
  },
  spec: {
    ...{ group, scope, names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}))

/**
 * What a cloud does that the control plane does not: `az` deletes machines, the CSI drivers take snapshots and delete
 * the disks of released volumes, and the cluster-autoscaler removes empty nodes. Returns the directory of its commands.
 */
export async function startStandInCloud(
  cluster: RealCluster,
  scenario: Scenario,
): Promise<{ bin: string; stop: () => Promise<void> }> {
  const { directory, kubectl } = cluster
  await kubectl('apply', '-f', put(join(directory, 'snapshot-kinds.json'), listOf(snapshotKinds)))
  const bin = join(directory, 'bin')
  for (const [name, script] of Object.entries({ az, gcloud, aws: unknown }))
    chmodSync(put(join(bin, name), script), 0o755)
  const stopping = new AbortController()
  const running = reconcile(cluster, scenario, stopping.signal)
  return {
    bin,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

const listOf = (items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })

/** The commands of no other cloud may run, least of all those that are installed on this machine. */
const unknown = `#!/bin/sh
echo "unknown: $0 $*" >&2
exit 2
`

const gcloud = `#!/bin/sh
case "$*" in
  'compute instances describe '*' --format=json') printf '  "value": "projects/1/zones/%s/instanceGroupManagers/gke-%s-grp"\\n' "$6" "$4" ;;
  'compute instance-groups managed delete-instances gke-'*' --quiet')
    node=\${6#--instances=}
    [ "$5" = "gke-$node-grp" ] && kubectl delete node "$node" ;;
  *) echo "unknown: gcloud $*" >&2; exit 2 ;;
esac
`

/** Names the cluster, and deletes the named machines; any other command fails. */
const az = `#!/bin/sh
case "$*" in
  'aks list --query '*"nodeResourceGroup=='MC_office_westeurope'].name"*) echo office ;;
  'aks list --query '*"nodeResourceGroup=='MC_office_westeurope'].resourceGroup"*) echo company ;;
  'aks nodepool delete-machines --cluster-name office --resource-group company --nodepool-name '*)
    while [ "$1" != --machine-names ]; do shift; done
    shift
    kubectl delete node "$@" ;;
  *) echo "unknown: az $*" >&2; exit 2 ;;
esac
`

async function reconcile(cluster: RealCluster, scenario: Scenario, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await removeEmptyNodes(cluster, scenario).catch(() => undefined)
    await deleteReleased(cluster).catch(() => undefined)
    await completeSnapshots(cluster).catch(() => undefined)
    await wait(1000)
  }
}

type Node = { metadata: { name: string; labels: Record<string, string> } }
type NodePod = {
  metadata: { ownerReferences?: { kind: string }[] }
  spec: { nodeName?: string }
  status: { phase: string }
}

/** As the cluster-autoscaler does after ten minutes: down to the minimum size of each pool. */
async function removeEmptyNodes({ plane }: RealCluster, { pools }: Scenario): Promise<void> {
  const { items: nodes } = (await plane.call('GET', '/api/v1/nodes')) as Listed<Node>
  const { items: pods } = (await plane.call('GET', '/api/v1/pods')) as Listed<NodePod>
  const isHeld = ({ metadata, status }: NodePod) =>
    !['Succeeded', 'Failed'].includes(status.phase) && metadata.ownerReferences?.[0]?.kind !== 'DaemonSet'
  const used = new Set(pods.filter(isHeld).map(({ spec }) => spec.nodeName))
  for (const { name: pool, autoscaling } of pools) {
    if (!autoscaling) continue
    const own = nodes.filter(({ metadata }) => metadata.labels['cloud.google.com/gke-nodepool'] === pool)
    const empty = own.filter(({ metadata }) => !used.has(metadata.name))
    for (const { metadata } of empty.slice(0, Math.max(0, own.length - autoscaling.min))) {
      await plane.call('DELETE', `/api/v1/nodes/${metadata.name}`)
    }
  }
}

type Listed<Item> = { items: Item[] }
type PersistentVolume = {
  metadata: { name: string }
  spec: { persistentVolumeReclaimPolicy: string; csi: { volumeHandle: string } }
  status: { phase: string }
}

async function deleteReleased({ plane }: RealCluster): Promise<void> {
  const { items } = (await plane.call('GET', '/api/v1/persistentvolumes')) as Listed<PersistentVolume>
  for (const { metadata, spec, status } of items) {
    if (spec.persistentVolumeReclaimPolicy !== 'Delete' || !['Released', 'Failed'].includes(status.phase)) continue
    await plane.call('DELETE', `/api/v1/persistentvolumes/${metadata.name}`)
  }
}

type Snapshot = {
  metadata: { name: string; namespace: string }
  spec: { source: { persistentVolumeClaimName: string } }
  status?: { readyToUse?: boolean }
}

async function completeSnapshots({ plane }: RealCluster): Promise<void> {
  const api = `/apis/${group}/v1`
  const { items } = (await plane.call('GET', `${api}/volumesnapshots`)) as Listed<Snapshot>
  for (const { metadata, spec, status } of items) {
    if (status?.readyToUse) continue
    const { name, namespace } = metadata
    const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`
    const claim = (await plane.call('GET', `${claims}/${spec.source.persistentVolumeClaimName}`)) as {
      spec: { volumeName: string }
    }
    const volume = (await plane.call('GET', `/api/v1/persistentvolumes/${claim.spec.volumeName}`)) as PersistentVolume
    const content = `content-${namespace}-${name}`
    await plane.call('POST', `${api}/volumesnapshotcontents`, {
      ...{ apiVersion: `${group}/v1`, kind: 'VolumeSnapshotContent', metadata: { name: content } },
      spec: { source: { volumeHandle: volume.spec.csi.volumeHandle } },
    })
    await plane.call('PATCH', `${api}/namespaces/${namespace}/volumesnapshots/${name}/status`, {
      status: { readyToUse: true, boundVolumeSnapshotContentName: content },
    })
  }
}
