import type { ControlPlane } from '../../../test/control-plane.ts'

/** Builders of real objects. `withStatus` writes the status that a controller or kubelet would write. */
type Metadata = { name: string; namespace?: string; [more: string]: unknown }
export type Manifest = { apiVersion: string; kind: string; metadata: Metadata; [more: string]: unknown }

const plurals: Record<string, string> = {
  EndpointSlice: 'endpointslices',
  StorageClass: 'storageclasses',
  CSINode: 'csinodes',
  PersistentVolume: 'persistentvolumes',
  PodDisruptionBudget: 'poddisruptionbudgets',
  HorizontalPodAutoscaler: 'horizontalpodautoscalers',
  ResourceQuota: 'resourcequotas',
}

export const pathOf = ({ apiVersion, kind, metadata: { namespace } }: Manifest) => {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`
  return `${base}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`
}

/** Creates an object, with its status if given, and returns it. */
export async function create(
  plane: ControlPlane,
  manifest: Manifest,
): Promise<Manifest & { metadata: { uid: string } }> {
  const made = await plane.call('POST', pathOf(manifest), manifest)
  if (manifest.status !== undefined) {
    const path = `${pathOf(manifest)}/${manifest.metadata.name}/status`
    return (await plane.call('PATCH', path, { status: manifest.status })) as Manifest & { metadata: { uid: string } }
  }
  return made as Manifest & { metadata: { uid: string } }
}

export const aNode = (name: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: {
      'node.kubernetes.io/instance-type': 'm5.xlarge',
      'topology.kubernetes.io/region': 'eu-central-1',
      'topology.kubernetes.io/zone': 'eu-central-1a',
      'eks.amazonaws.com/nodegroup': 'general',
    },
  },
  spec: { providerID: `aws:///eu-central-1a/i-${name}` },
  status: {
    capacity: { cpu: '4', memory: '16Gi', pods: '58' },
    allocatable: { cpu: '3920m', memory: '15Gi', pods: '58' },
    nodeInfo: nodeInfo(),
  },
})

const nodeInfo = () => ({
  ...{ architecture: 'amd64', operatingSystem: 'linux', bootID: 'x', containerRuntimeVersion: 'x', kernelVersion: 'x' },
  ...{ kubeProxyVersion: 'x', kubeletVersion: 'v1.35.0', machineID: 'x', osImage: 'x', systemUUID: 'x' },
})

const container = {
  name: 'app',
  image: 'registry.test/app:1',
  resources: { requests: { cpu: '250m', memory: '64Mi' } },
}

export const podTemplate = (labels: Record<string, string>) => ({
  metadata: { labels },
  spec: { containers: [container] },
})

export const aDeployment = (namespace: string, name: string): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { team: 'shop' } },
  spec: { replicas: 2, selector: { matchLabels: { app: name } }, template: podTemplate({ app: name }) },
})

export const aReplicaSet = (namespace: string, name: string, owner: Manifest): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name, namespace, ownerReferences: [ownedBy(owner)] },
  spec: { selector: { matchLabels: { app: name } }, template: podTemplate({ app: name }) },
})

export const ownedBy = ({ apiVersion, kind, metadata }: Manifest) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
})

export const aPod = (
  namespace: string,
  name: string,
  { node, owner, spec = {} }: { node?: string; owner?: Manifest; spec?: object } = {},
): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels: { app: 'web' }, ...(owner ? { ownerReferences: [ownedBy(owner)] } : {}) },
  spec: { containers: [container], ...(node === undefined ? {} : { nodeName: node }), ...spec },
})

export const statusOf = (name: string, restartCount: number) => ({
  ...{ name, restartCount, ready: false, image: 'x', imageID: 'x' },
})

/** A volume and a load balancer that the pod uses, and its limits. */
export function assetManifests(pod: Manifest): Manifest[] {
  const metadata = (name: string) => ({ name, namespace: 'churn' })
  const metric = (name: string, averageUtilization: number) => ({
    type: 'Resource',
    resource: { name, target: { type: 'Utilization', averageUtilization } },
  })
  return [
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'asset-node' },
      spec: {
        drivers: [
          { name: 'ebs.csi.aws.com', nodeID: 'i-1', topologyKeys: [], allocatable: { count: 25 } },
          { name: 'efs.csi.aws.com', nodeID: 'i-1', topologyKeys: [] },
        ],
      },
    },
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'ebs.csi.aws.com',
      parameters: { type: 'gp3' },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'disk' },
      spec: {
        capacity: { storage: '100Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace: 'churn', name: 'data' },
        storageClassName: 'fast',
        persistentVolumeReclaimPolicy: 'Retain',
        csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' },
        nodeAffinity: zone('topology.ebs.csi.aws.com/zone', 'eu-central-1a'),
      },
      status: { phase: 'Bound' },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata('front'),
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      status: { loadBalancer: { ingress: [{ hostname: 'x-1.elb.eu-central-1.amazonaws.com' }] } },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata('front-1'), labels: { 'kubernetes.io/service-name': 'front' } },
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.1.1'],
          conditions: { ready: true },
          targetRef: { kind: 'Pod', namespace: 'churn', name: pod.metadata.name, uid: pod.metadata.uid },
        },
        { addresses: ['10.1.1.2'], conditions: { ready: false }, targetRef: { kind: 'Pod', uid: 'not-ready' } },
      ],
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: metadata('budget'),
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    },
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: metadata('scaler'),
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 9,
        metrics: [metric('memory', 80), metric('cpu', 70)],
      },
      status: { currentReplicas: 3, desiredReplicas: 3 },
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: metadata('quota'),
      spec: { hard: { 'requests.cpu': '10', pods: '50' } },
      status: { hard: { 'requests.cpu': '10', pods: '50' }, used: { 'requests.cpu': '500m', pods: '2' } },
    },
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: metadata('limits'),
      spec: {
        limits: [{ type: 'Container', min: { cpu: '10m' }, max: { memory: '2Gi' }, defaultRequest: { cpu: '100m' } }],
      },
    },
  ]
}

const zone = (key: string, value: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
})
