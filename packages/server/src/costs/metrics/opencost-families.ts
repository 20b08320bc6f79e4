import { BYTES_PER_KIB, MICROCORES_PER_CORE, PARTS_PER_WHOLE, SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { PodAllocation } from '../queries/metrics.ts'
import type { CloudResourceAsset, NodeAsset } from '../queries/opencost-assets.ts'
import type { Family, Labels, Series } from './metric-text.ts'

const BYTES_PER_GIB = 1024 ** 3

/** In cores, GiB and GPUs, over an hour. */
const unitHours = {
  cpu: 1 / MICROCORES_PER_CORE / SECONDS_PER_HOUR,
  memory: BYTES_PER_KIB / BYTES_PER_GIB / SECONDS_PER_HOUR,
  gpu: 1 / PARTS_PER_WHOLE / SECONDS_PER_HOUR,
}

type Hour = {
  cluster: string
  nodes: readonly NodeAsset[]
  pods: readonly PodAllocation[]
  resources: readonly CloudResourceAsset[]
  version: string
}

const quotient = (amount: number, by: number) => (by === 0 ? 0 : amount / by)

function nodeLabels(cluster: string, node: NodeAsset): Labels {
  return {
    ...{ cluster, instance: node.name, node: node.name, instance_type: node.instanceType, region: node.region },
    ...{ provider_id: node.providerId, arch: node.arch, uid: node.uid },
  }
}

/** Each price is the cost of the hour divided by the capacity of the hour. Nodes without a price have no series. */
function nodeFamilies(cluster: string, nodes: readonly NodeAsset[]): Family[] {
  const priced = nodes.filter(({ isUnpriced }) => !isUnpriced)
  const family = (name: string, help: string, of: readonly NodeAsset[], valueOf: (node: NodeAsset) => number) => ({
    name,
    help,
    series: of.map((node) => ({ labels: nodeLabels(cluster, node), value: valueOf(node) })),
  })
  const existed = ({ seconds }: NodeAsset) => Number(seconds) / SECONDS_PER_HOUR
  const amount = (node: NodeAsset, resource: keyof typeof unitHours) =>
    Number(node[`${resource}Capacity`]) * unitHours[resource]
  const price = (resource: keyof typeof unitHours) => (node: NodeAsset) =>
    quotient(Number(node[resource]), amount(node, resource))
  const gpuCount = (node: NodeAsset) => quotient(amount(node, 'gpu'), existed(node))
  return [
    family('node_cpu_hourly_cost', 'Price of a vCPU of the node for an hour', priced, price('cpu')),
    family('node_ram_hourly_cost', 'Price of a GiB of memory of the node for an hour', priced, price('memory')),
    family(
      ...(['node_gpu_hourly_cost', 'Price of a GPU of the node for an hour'] as const),
      priced.filter((node) => gpuCount(node) > 0),
      price('gpu'),
    ),
    family('node_total_hourly_cost', 'Price of the node for an hour', priced, (node) =>
      quotient(Number(node.cpu) + Number(node.memory) + Number(node.gpu), existed(node)),
    ),
    family('node_gpu_count', 'GPUs of the node', nodes, gpuCount),
    family('kubecost_node_is_spot', '1 for a spot node, otherwise 0', nodes, ({ capacityType }) =>
      capacityType === 'spot' ? 1 : 0,
    ),
  ]
}

/** What each pod was allocated, as a mean over the hour. */
function podFamilies(cluster: string, pods: readonly PodAllocation[]): Family[] {
  const series = (valueOf: (pod: PodAllocation) => number): Series[] =>
    pods.map((each) => ({
      labels: {
        cluster,
        namespace: each.namespace,
        pod: each.pod,
        container: allContainers,
        instance: each.node,
        node: each.node,
      },
      value: valueOf(each),
    }))
  const gpu = series((pod) => Number(pod.gpu) * unitHours.gpu).filter(({ value }) => value > 0)
  return [
    family(
      'container_cpu_allocation',
      'vCPUs allocated to the pod',
      series((pod) => Number(pod.cpu) * unitHours.cpu),
    ),
    family(
      'container_memory_allocation_bytes',
      'Bytes of memory allocated to the pod',
      series((pod) => (Number(pod.memory) * BYTES_PER_KIB) / SECONDS_PER_HOUR),
    ),
    family('container_gpu_allocation', 'GPUs allocated to the pod', gpu),
  ]
}

/** Kubernetes does not allow this name. */
const allContainers = '__all__'

const family = (name: string, help: string, series: readonly Series[]): Family => ({ name, help, series })

function resourceFamilies(cluster: string, resources: readonly CloudResourceAsset[]): Family[] {
  const of = (kind: CloudResourceAsset['kind'], isPriced: boolean) =>
    resources.filter((each) => each.kind === kind && (!isPriced || !each.isUnpriced))
  const bytes = ({ unitSeconds }: CloudResourceAsset) => (Number(unitSeconds) * BYTES_PER_KIB) / SECONDS_PER_HOUR
  const volume = ({ name, objectName }: CloudResourceAsset) => (objectName === '' ? name : objectName)
  return [
    family(
      ...(['pv_hourly_cost', 'Price of a GiB of the volume for an hour'] as const),
      of('volume', true).map((each) => ({
        labels: { cluster, persistentvolume: volume(each), volumename: volume(each), provider_id: each.uid },
        value: quotient(Number(each.usd), bytes(each) / BYTES_PER_GIB),
      })),
    ),
    family(
      ...(['pod_pvc_allocation', 'Bytes of the volume of a claim'] as const),
      of('volume', false)
        .filter(({ namespace }) => namespace !== '')
        .map((each) => ({
          labels: {
            ...{ cluster, namespace: each.namespace, persistentvolumeclaim: each.name, persistentvolume: volume(each) },
          },
          value: bytes(each),
        })),
    ),
    family(
      ...(['kubecost_load_balancer_cost', 'Price of the load balancer for an hour'] as const),
      of('balancer', true).map((each) => ({
        labels: { cluster, namespace: each.namespace, service_name: each.name, uid: each.uid },
        value: Number(each.usd),
      })),
    ),
    family(
      ...(['kubecost_cluster_management_cost', 'Price of the control plane for an hour'] as const),
      of('control_plane', true).map((each) => ({ labels: { cluster, uid: each.uid }, value: Number(each.usd) })),
    ),
  ]
}

/** The names and labels of the metrics that OpenCost exports. */
export const opencostFamilies = ({ cluster, nodes, pods, resources, version }: Hour): Family[] => [
  ...nodeFamilies(cluster, nodes),
  ...podFamilies(cluster, pods),
  ...resourceFamilies(cluster, resources),
  family('opencost_build_info', 'Version of Plimsoll', [{ labels: { cluster, version }, value: 1 }]),
]
