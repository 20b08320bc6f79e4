import type { PackingNode, PodConstraints, PodTerm } from '../../src/packing/cluster.ts'
import type { LabelSelector, Requirement } from '../../src/packing/label-selector.ts'
import { NAMESPACES, ZONE, type DisruptionBudget, type ClusterState, type Workload } from './random-state.ts'

/**
 * The objects of one state. Many states share a control plane: topology keys, zones, namespaces and node names carry the name of
 * the state, and pods select the nodes of their state, so no state sees another.
 */
export type Scope = { readonly id: string }

export const namespaceOf = ({ id }: Scope, namespace: string) => `${id}-${namespace}`
export const nodeNameOf = ({ id }: Scope, node: string) => `${id}-${node}`
const STATE = 'plimsoll.test/state'
const SET = 'plimsoll.test/set'

export const namespaceObjects = (scope: Scope) =>
  Object.entries(NAMESPACES).map(([name, labels]) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespaceOf(scope, name), labels: { [STATE]: scope.id, ...labels } },
  }))

/** Labels that pods choose by or are spread over belong to the state alone. */
const keyIn = ({ id }: Scope, key: string) => (key === ZONE ? key : `${id}.plimsoll.test/${key}`)

export function nodeObject(scope: Scope, { name, labels, allocatable, taints = [] }: PackingNode) {
  const { cpu, memory, pods, extended = {} } = allocatable
  const amounts = {
    cpu: `${cpu / 1000}m`,
    memory: `${memory}Ki`,
    pods: String(pods),
    ...Object.fromEntries(Object.entries(extended).map(([resource, count]) => [resource, String(count)])),
  }
  const own = Object.entries(labels).map(([key, value]) => [
    keyIn(scope, key),
    key === ZONE ? `${scope.id}-${value}` : value,
  ])
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeNameOf(scope, name),
      labels: { [STATE]: scope.id, ...(Object.fromEntries(own) as Record<string, string>) },
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
    },
    spec: { taints },
    status: { capacity: amounts, allocatable: amounts },
  }
}

const selectorObject = ({ labels, expressions }: LabelSelector) => ({
  ...(labels ? { matchLabels: labels } : {}),
  ...(expressions ? { matchExpressions: expressions } : {}),
})

const termObject = (scope: Scope, { topologyKey, selector, namespaces, namespaceSelector }: PodTerm) => ({
  topologyKey: keyIn(scope, topologyKey),
  ...(selector ? { labelSelector: selectorObject(selector) } : {}),
  ...(namespaces ? { namespaces: namespaces.map((each) => namespaceOf(scope, each)) } : {}),
  ...(namespaceSelector
    ? { namespaceSelector: { matchLabels: { ...namespaceSelector.labels, [STATE]: scope.id } } }
    : {}),
})

const requirementObject = (scope: Scope, { key, ...rest }: Requirement) => ({ key: keyIn(scope, key), ...rest })

function affinityObject(scope: Scope, { nodeAffinity, podAffinity, podAntiAffinity }: PodConstraints) {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution'
  const terms = (some: readonly PodTerm[]) => ({ [required]: some.map((each) => termObject(scope, each)) })
  return {
    ...(podAffinity ? { podAffinity: terms(podAffinity) } : {}),
    ...(podAntiAffinity ? { podAntiAffinity: terms(podAntiAffinity) } : {}),
    ...(nodeAffinity
      ? {
          nodeAffinity: {
            [required]: {
              nodeSelectorTerms: nodeAffinity.map(({ expressions = [] }) => ({
                matchExpressions: expressions.map((each) => requirementObject(scope, each)),
              })),
            },
          },
        }
      : {}),
  }
}

function podSpec(scope: Scope, { name, pod }: Workload) {
  const { shape, extended = {}, priority = 0, constraints = {}, volumes = [] } = pod
  const { tolerations = [], nodeSelector = {}, spread = [], hostPorts = [], volumeZones = [] } = constraints
  const request = shape.containers[0]?.request ?? { cpu: 0, memory: 0 }
  const counts = Object.fromEntries(Object.entries(extended).map(([resource, count]) => [resource, String(count)]))
  const requests = {
    ...(request.cpu > 0 ? { cpu: `${request.cpu / 1000}m` } : {}),
    ...(request.memory > 0 ? { memory: `${request.memory}Ki` } : {}),
    ...counts,
  }
  const selected = Object.entries(nodeSelector).map(([key, value]) => [keyIn(scope, key), value])
  return {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    ...(priority > 0 ? { priorityClassName: `p${priority}` } : {}),
    nodeSelector: { [STATE]: scope.id, ...(Object.fromEntries(selected) as Record<string, string>) },
    tolerations,
    affinity: affinityObject(scope, constraints),
    topologySpreadConstraints: spread.map(({ topologyKey, selector, ...rest }) => ({
      ...rest,
      topologyKey: keyIn(scope, topologyKey),
      whenUnsatisfiable: 'DoNotSchedule',
      ...(selector ? { labelSelector: selectorObject(selector) } : {}),
    })),
    containers: [
      {
        name: 'app',
        image: 'app',
        resources: { requests, limits: counts },
        ports: hostPorts.map(({ port, protocol = 'TCP' }) => ({ containerPort: port, hostPort: port, protocol })),
      },
    ],
    volumes: [...volumeZones.map((_zones, index) => claimOf(name, index)), ...volumes.map(({ id }) => id)].map(
      (claimName, index) => ({ name: `data-${index}`, persistentVolumeClaim: { claimName } }),
    ),
  }
}

const claimOf = (workload: string, index: number) => `${workload}-${index}`

const templateLabels = ({ name, pod }: Workload) => ({ ...pod.labels, [SET]: name })

export const podObjects = (scope: Scope, workload: Workload) =>
  workload.nodes.map((node, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${workload.name}-start-${index}`,
      namespace: namespaceOf(scope, workload.pod.namespace),
      labels: templateLabels(workload),
    },
    spec: { ...podSpec(scope, workload), nodeName: nodeNameOf(scope, node) },
  }))

/** A ReplicaSet adopts the existing pods. */
export function controllerObject(scope: Scope, workload: Workload) {
  const { name, kind, pod, nodes } = workload
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: namespaceOf(scope, pod.namespace) },
    spec: {
      ...(kind === 'ReplicaSet' ? { replicas: nodes.length } : {}),
      selector: { matchLabels: { [SET]: name } },
      template: { metadata: { labels: templateLabels(workload) }, spec: podSpec(scope, workload) },
    },
  }
}

/** A bound pair for each volume of a workload. Some are reachable from some zones only, others are attached by a CSI driver. */
export function volumeObjects(scope: Scope, { name, pod }: Workload) {
  const namespace = namespaceOf(scope, pod.namespace)
  const zonal = (pod.constraints?.volumeZones ?? []).map((zones, index) => {
    const values = zones.map((zone) => `${scope.id}-${zone}`)
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values }] }] }
    return boundPair(scope, namespace, claimOf(name, index), {
      hostPath: { path: '/data' },
      nodeAffinity: { required },
    })
  })
  const attached = (pod.volumes ?? []).map(({ driver, id }) =>
    boundPair(scope, namespace, id, { csi: { driver, volumeHandle: `${scope.id}-${id}` } }),
  )
  return [...zonal, ...attached]
}

function boundPair(scope: Scope, namespace: string, claim: string, source: object) {
  const shared = { accessModes: ['ReadWriteMany'], storageClassName: '' }
  const volume = `${scope.id}-${claim}`
  return {
    volume: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volume },
      spec: { ...shared, capacity: { storage: '1Gi' }, claimRef: { namespace, name: claim }, ...source },
    },
    claim: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: claim, namespace },
      spec: { ...shared, volumeName: volume, resources: { requests: { storage: '1Gi' } } },
    },
  }
}

/** What the CSI drivers of a node report. */
export const csiNodeObjects = (scope: Scope, { name, attachLimits = {} }: PackingNode) =>
  Object.keys(attachLimits).length === 0
    ? []
    : [
        {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'CSINode',
          metadata: { name: nodeNameOf(scope, name) },
          spec: {
            drivers: Object.entries(attachLimits).map(([driver, count]) => ({
              name: driver,
              nodeID: nodeNameOf(scope, name),
              allocatable: { count },
            })),
          },
        },
      ]

export const disruptionBudgetObject = (scope: Scope, { name, namespace, app, maxUnavailable }: DisruptionBudget) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: namespaceOf(scope, namespace) },
  spec: { maxUnavailable, selector: { matchLabels: { app } } },
})

export const setOf = (labels: Readonly<Record<string, string>> = {}) => labels[SET] ?? ''

export const isReplicated = ({ kind }: Workload) => kind === 'ReplicaSet'

/** The number of replicas of each workload. */
export const replicasOf = ({ workloads }: ClusterState) =>
  new Map(workloads.filter(isReplicated).map(({ name, nodes }) => [name, nodes.length]))
