import type { Living } from '@plimsoll/simulator'
import { expect, vi } from 'vitest'
import type { RealCluster } from '../end-to-end/real-cluster.ts'
import { patience } from '../patience.ts'
import type { RunningPod } from './copied-usage.ts'

type Named = { name: string }
type Pod = {
  metadata: { name: string; namespace: string; labels: Record<string, string> }
  spec: { nodeName?: string; containers: Named[]; initContainers?: Named[] }
  status: { phase: string }
}

const listPods = async ({ plane }: RealCluster) => ((await plane.call('GET', '/api/v1/pods')) as { items: Pod[] }).items

export const listPending = async (cluster: RealCluster) =>
  (await listPods(cluster)).filter(({ status }) => status.phase === 'Pending').map(({ metadata }) => metadata.name)

/** Waits until the real scheduler has placed every pod. */
export const allRunning = (cluster: RealCluster): Promise<RunningPod[]> =>
  vi.waitFor(
    async () => {
      expect(await listPending(cluster)).toEqual([])
      return (await listPods(cluster)).map(runningPod)
    },
    { ...patience, interval: 1000 },
  )

const runningPod = ({ metadata, spec }: Pod): RunningPod => ({
  ...{ name: metadata.name, namespace: metadata.namespace },
  workload: metadata.labels['app.kubernetes.io/name'] ?? '',
  containers: [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name),
})

/**
 * Binds the pods of Deployments and StatefulSets to the nodes where the demo has them. The real scheduler places all
 * other pods, and every pod that starts later.
 */
export async function placeAsInDemo(cluster: RealCluster, { pods, nodes }: Living): Promise<void> {
  const nameOf = new Map(nodes.map(({ ref, name }) => [ref, name]))
  const places = new Map<string, string[]>()
  for (const { namespace, workloadName, workloadKind, nodeRef } of pods) {
    const node = nameOf.get(nodeRef)
    if (node === undefined || !['Deployment', 'StatefulSet'].includes(workloadKind)) continue
    const key = `${namespace}/${workloadName}`
    places.set(key, [...(places.get(key) ?? []), node])
  }
  await vi.waitFor(
    async () => {
      for (const { metadata } of (await listPods(cluster)).filter((pod) => !pod.spec.nodeName)) {
        const node = places.get(`${metadata.namespace}/${metadata.labels['app.kubernetes.io/name']}`)?.shift()
        if (node === undefined) continue
        await cluster.plane.call('POST', `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/binding`, {
          ...{ apiVersion: 'v1', kind: 'Binding', metadata: { name: metadata.name } },
          target: { apiVersion: 'v1', kind: 'Node', name: node },
        })
      }
      expect([...places].filter(([, left]) => left.length > 0)).toEqual([])
    },
    { ...patience, interval: 500 },
  )
}
