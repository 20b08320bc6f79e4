import type { Living, Scenario } from '@plimsoll/simulator'
import { copyStorage } from './copied-storage.ts'
import { copyWorkloads } from './copied-workloads.ts'
import type { KubernetesObject } from './kubernetes-object.ts'

/** The objects of a demo cluster in the form that users apply with kubectl, in the order of application. */
export const copyCluster = (scenario: Scenario, living: Living): KubernetesObject[] => [
  ...copyNamespaces(living),
  ...living.nodes.flatMap(copyNode),
  copyAutoscalerStatus(scenario),
  ...copyStorage(scenario, living),
  ...living.balancers.map(copyBalancer(scenario)),
  ...copyWorkloads(scenario, living),
]

/** A stored object and the identity that it has in the demo. */
export type Identity = { key: string; uid: string; creationTimestamp: string }

/** The server knows nodes, volumes and load balancers by uid. A copy continues their past only with the same uid. */
export function identitiesOf({ clusterUid }: Scenario, living: Living): Identity[] {
  const identity = (key: string, uid: string, second: number) => ({ key, uid, creationTimestamp: instant(second) })
  const oldest = Math.min(...living.nodes.map(({ createdAt }) => createdAt))
  return [
    identity('namespaces/kube-system', clusterUid, oldest),
    ...living.nodes.map(({ name, uid, createdAt }) => identity(`minions/${name}`, uid, createdAt)),
    ...living.volumes.map(({ name, uid }) => identity(`persistentvolumes/${name}`, uid, oldest)),
    ...living.balancers.map(({ namespace, name, uid }) => identity(`services/specs/${namespace}/${name}`, uid, oldest)),
  ]
}

/** Kubernetes stores whole seconds. */
const instant = (second: number) => new Date(second * 1000).toISOString().replace('.000Z', 'Z')

/** kube-system exists already; applying it adds the labels of the demo. */
const copyNamespaces = ({ namespaces }: Living): KubernetesObject[] => [
  ...namespaces.map(({ name, labels }) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'plimsoll' } },
]

function copyNode(node: Living['nodes'][number]): KubernetesObject[] {
  const { name, labels, providerId: providerID, taints = [], attachLimits = {}, extendedAllocatable = {} } = node
  const more = {
    pods: String(node.podsAllocatable),
    'ephemeral-storage': `${node.ephemeralAllocatableKib ?? 0}Ki`,
    ...Object.fromEntries(Object.entries(extendedAllocatable).map(([resource, count]) => [resource, String(count)])),
  }
  const amounts = (millicores: number, kib: number) => ({ cpu: `${millicores}m`, memory: `${kib}Ki`, ...more })
  const drivers = Object.entries(attachLimits).map(([driver, count]) => ({
    ...{ name: driver, nodeID: name, topologyKeys: [] },
    allocatable: { count },
  }))
  const made = {
    ...{ apiVersion: 'v1', kind: 'Node' },
    metadata: { name, labels, annotations: { 'kwok.x-k8s.io/node': 'fake' } },
    spec: { providerID, taints },
    status: {
      capacity: amounts(node.cpuCapacityMillicores, node.memoryCapacityKib),
      allocatable: amounts(node.cpuAllocatableMillicores, node.memoryAllocatableKib),
    },
  }
  const csiNode = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name }, spec: { drivers } }
  return drivers.length === 0 ? [made] : [made, csiNode]
}

/** As the cluster-autoscaler writes it: the groups that it scales. */
function copyAutoscalerStatus({ pools }: Scenario): KubernetesObject {
  const groups = pools.flatMap(({ name, autoscaling }) =>
    autoscaling ? [`- name: ${name}`, `  minSize: ${autoscaling.min}`, `  maxSize: ${autoscaling.max}`] : [],
  )
  return {
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: 'cluster-autoscaler-status', namespace: 'kube-system' },
    data: { status: ['autoscalerStatus: Running', 'nodeGroups:', ...groups].join('\n') },
  }
}

const copyBalancer =
  ({ balancers = [] }: Scenario) =>
  ({ namespace, name }: Living['balancers'][number]): KubernetesObject => {
    const workload = balancers.find((each) => each.namespace === namespace && each.name === name)?.workload
    const spec = {
      type: 'LoadBalancer',
      // A Service without a workload selects pods that do not exist.
      selector: { 'app.kubernetes.io/name': workload ?? `${name}-removed` },
      ports: [{ port: 443 }],
    }
    return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, ...{ spec } }
  }
