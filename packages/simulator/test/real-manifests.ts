/** The objects of a real cluster, so that its snapshot has every common field. */

type Labels = Record<string, string>

const common = (name: string, type: string, region: string, zone: string): Labels => ({
  'beta.kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/instance-type': type,
  'beta.kubernetes.io/os': 'linux',
  'failure-domain.beta.kubernetes.io/region': region,
  'failure-domain.beta.kubernetes.io/zone': zone,
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'node.kubernetes.io/instance-type': type,
  'topology.kubernetes.io/region': region,
  'topology.kubernetes.io/zone': zone,
})

/** The labels in the documentation of GKE, EKS and AKS. */
const gke: Labels = {
  ...common('gke-platform-default-1', 'e2-standard-8', 'europe-west4', 'europe-west4-a'),
  'cloud.google.com/gke-boot-disk': 'pd-balanced',
  'cloud.google.com/gke-container-runtime': 'containerd',
  'cloud.google.com/gke-max-pods-per-node': '110',
  'cloud.google.com/gke-nodepool': 'default',
  'cloud.google.com/gke-os-distribution': 'cos',
  'cloud.google.com/gke-provisioning': 'standard',
  'cloud.google.com/machine-family': 'e2',
  'topology.gke.io/zone': 'europe-west4-a',
}
const gkeSpot: Labels = {
  ...gke,
  'kubernetes.io/hostname': 'gke-platform-spot-1',
  'cloud.google.com/gke-nodepool': 'spot',
  'cloud.google.com/gke-provisioning': 'spot',
  'cloud.google.com/gke-spot': 'true',
}
const gkeGpu: Labels = {
  ...gke,
  'kubernetes.io/hostname': 'gke-platform-gpu-1',
  'cloud.google.com/gke-accelerator': 'nvidia-l4',
  'cloud.google.com/gke-nodepool': 'gpu',
  'nvidia.com/gpu.product': 'NVIDIA-L4',
}
const eks: Labels = {
  ...common('ip-10-0-1-2.eu-central-1.compute.internal', 'm5.xlarge', 'eu-central-1', 'eu-central-1a'),
  'eks.amazonaws.com/capacityType': 'ON_DEMAND',
  'eks.amazonaws.com/nodegroup': 'general',
  'eks.amazonaws.com/nodegroup-image': 'ami-0123456789abcdef0',
  'k8s.io/cloud-provider-aws': '0123456789abcdef0123456789abcdef',
  'topology.ebs.csi.aws.com/zone': 'eu-central-1a',
  'topology.k8s.aws/zone-id': 'euc1-az2',
}
const aks: Labels = {
  ...common('aks-work-12345678-vmss000000', 'Standard_D4s_v5', 'westeurope', 'westeurope-1'),
  agentpool: 'work',
  'kubernetes.azure.com/agentpool': 'work',
  'kubernetes.azure.com/cluster': 'MC_group_office_westeurope',
  'kubernetes.azure.com/mode': 'user',
  'kubernetes.azure.com/node-image-version': 'AKSUbuntu-2204gen2containerd-202506.30.0',
  'kubernetes.azure.com/os-sku': 'Ubuntu',
  'kubernetes.azure.com/role': 'agent',
  'kubernetes.azure.com/storageprofile': 'managed',
  'topology.disk.csi.azure.com/zone': 'westeurope-1',
}

type NodeExtra = { annotations?: Labels; taints?: object[]; gpus?: number }

function aNode(labels: Labels, providerID: string, { annotations = {}, taints = [], gpus }: NodeExtra = {}): object {
  const gpu = gpus === undefined ? {} : { 'nvidia.com/gpu': String(gpus) }
  const capacity = { cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110', ...gpu }
  const allocatable = { cpu: '3920m', memory: '14Gi', 'ephemeral-storage': '90Gi', pods: '110', ...gpu }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: labels['kubernetes.io/hostname'],
      labels,
      annotations: { 'kwok.x-k8s.io/node': 'fake', ...annotations },
    },
    spec: { providerID, taints },
    status: { capacity, allocatable },
  }
}

const dedicated = [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }]

export const nodes: readonly object[] = [
  aNode(gke, 'gce://project/europe-west4-a/gke-platform-default-1'),
  aNode(gkeSpot, 'gce://project/europe-west4-a/gke-platform-spot-1'),
  aNode(gkeGpu, 'gce://project/europe-west4-a/gke-platform-gpu-1', { taints: dedicated, gpus: 1 }),
  aNode(eks, 'aws:///eu-central-1a/i-0123456789abcdef0'),
  aNode(
    aks,
    'azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/v/virtualMachines/0',
  ),
]

/** As registered by the node plugin of a CSI driver. */
const csiNode = (labels: Labels, driver: string, count: number): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name: labels['kubernetes.io/hostname'] },
  spec: { drivers: [{ name: driver, nodeID: 'id', topologyKeys: [], allocatable: { count } }] },
})

const namespace = 'shop'
const appLabels = (name: string) => ({ 'app.kubernetes.io/name': name })
const meta = (name: string, more: object = {}) => ({ name, namespace, ...more })
const selector = (name: string) => ({ matchLabels: appLabels(name) })

const resources = { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '500m', memory: '512Mi' } }

function podOf(name: string, more: object = {}): object {
  return {
    metadata: { labels: appLabels(name) },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ name, image: `registry.example.com/${name}:1.0`, resources }],
      ...more,
    },
  }
}

const sidecar = {
  ...{ name: 'log-shipper', image: 'registry.example.com/log-shipper:1.0', restartPolicy: 'Always' },
  resources: { requests: { cpu: '50m', memory: '64Mi' } },
}
const migrate = { name: 'migrate', image: 'registry.example.com/migrate:1.0', resources }

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: meta('web', {
    labels: { ...appLabels('web'), 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': namespace },
  }),
  spec: {
    replicas: 2,
    selector: selector('web'),
    template: podOf('web', {
      initContainers: [migrate, sidecar],
      topologySpreadConstraints: [
        {
          ...{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
          labelSelector: selector('web'),
        },
      ],
    }),
  },
}

const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: meta('db'),
  spec: {
    replicas: 1,
    serviceName: 'db',
    selector: selector('db'),
    template: podOf('db', {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: selector('db') },
          ],
        },
      },
    }),
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: {
          storageClassName: 'fast',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '10Gi' } },
        },
      },
    ],
  },
}

const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: meta('logs'),
  spec: { selector: selector('logs'), template: podOf('logs', { tolerations: [{ operator: 'Exists' }] }) },
}

const gpuWork = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: meta('train'),
  spec: {
    selector: selector('train'),
    template: podOf('train', {
      containers: [
        {
          ...{ name: 'train', image: 'registry.example.com/train:1.0' },
          resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { 'nvidia.com/gpu': '1' } },
        },
      ],
      tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'cloud.google.com/gke-nodepool', operator: 'In', values: ['gpu'] }] },
            ],
          },
        },
      },
    }),
  },
}

const cronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: meta('report'),
  spec: {
    schedule: '*/1 * * * *',
    jobTemplate: { spec: { template: podOf('report', { restartPolicy: 'Never' }) } },
  },
}

const volume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-data-db-0', labels: { 'topology.kubernetes.io/zone': 'eu-central-1a' } },
  spec: {
    capacity: { storage: '10Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName: 'fast',
    claimRef: { namespace, name: 'data-db-0' },
    csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' },
  },
}

const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: meta('web'),
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 2,
    maxReplicas: 4,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
  },
}

/** In the order of application. */
export const manifests: readonly object[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { team: 'shop' } } },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'ebs.csi.aws.com',
    parameters: { type: 'gp3' },
  },
  csiNode(gke, 'pd.csi.storage.gke.io', 127),
  csiNode(eks, 'ebs.csi.aws.com', 25),
  csiNode(aks, 'disk.csi.azure.com', 8),
  volume,
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: meta('limits'),
    spec: { limits: [{ type: 'Container', min: { cpu: '10m', memory: '16Mi' } }] },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: meta('quota'),
    spec: { hard: { 'requests.cpu': '20', 'requests.memory': '40Gi' } },
  },
  deployment,
  statefulSet,
  daemonSet,
  gpuWork,
  cronJob,
  autoscaler,
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: meta('web'),
    spec: { minAvailable: 1, selector: selector('web') },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta('web'),
    spec: { type: 'LoadBalancer', selector: appLabels('web'), ports: [{ port: 80 }] },
  },
]
