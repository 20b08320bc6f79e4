/** A shop on Amazon EKS: every container requests far more than it uses. */

const zones = ['eu-central-1a', 'eu-central-1b', 'eu-central-1c']

const node = (index: number) => {
  const name = `ip-10-0-0-${index}.eu-central-1.compute.internal`
  const zone = zones[index % zones.length] ?? ''
  const amounts = { cpu: '4', memory: '16Gi', pods: '58' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm5.xlarge',
        'topology.kubernetes.io/region': 'eu-central-1',
        'topology.kubernetes.io/zone': zone,
        'eks.amazonaws.com/nodegroup': 'general',
        'eks.amazonaws.com/capacityType': 'ON_DEMAND',
      },
      // KWOK serves the metrics of all nodes at one address.
      annotations: { 'metrics.k8s.io/resource-metrics-path': `/metrics/nodes/${name}/metrics/resource` },
    },
    spec: { providerID: `aws:///${zone}/i-0a1b2c3d4e5f6000${index}` },
    status: { capacity: amounts, allocatable: amounts },
  }
}

export const used = { cpu: '150m', memory: '300Mi' }

const container = (name: string) => ({
  name,
  image: `shop/${name}:1.0`,
  resources: { requests: { cpu: '1', memory: '2Gi' } },
})

/** KWOK simulates the usage of pods from these annotations. */
const usageAnnotations = { 'kwok.x-k8s.io/usage-cpu': used.cpu, 'kwok.x-k8s.io/usage-memory': used.memory }

const named = (apiVersion: string, kind: string, name: string, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop', labels: { app: name, team: 'red' } },
  spec,
})

const template = (name: string, more: object = {}) => ({
  metadata: { labels: { app: name }, annotations: usageAnnotations },
  spec: { containers: [container(name)], ...more },
})

const controller = (kind: string, name: string, spec: object = {}) =>
  named('apps/v1', kind, name, { selector: { matchLabels: { app: name } }, template: template(name), ...spec })

const claim = { accessModes: ['ReadWriteOnce'], storageClassName: 'gp3', resources: { requests: { storage: '20Gi' } } }

const volume = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `pv-${name}` },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'gp3',
    capacity: { storage: '20Gi' },
    persistentVolumeReclaimPolicy: 'Delete',
    csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${name}` },
    claimRef: { namespace: 'shop', name },
  },
})

const report = {
  schedule: '0 * * * *',
  jobTemplate: { spec: { template: template('report', { restartPolicy: 'Never' }) } },
}

const database = {
  replicas: 2,
  serviceName: 'db',
  volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
}

const scaling = {
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' },
  minReplicas: 2,
  maxReplicas: 4,
  metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
}

export const shop = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'plimsoll' } },
  ...Array.from({ length: 6 }, (_, index) => node(index + 1)),
  {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp3' } },
    ...{ provisioner: 'ebs.csi.aws.com', parameters: { type: 'gp3' }, volumeBindingMode: 'Immediate' },
  },
  ...['data-db-0', 'data-db-1', 'archive'].map(volume),
  named('v1', 'PersistentVolumeClaim', 'archive', claim),
  controller('Deployment', 'cache', { replicas: 2 }),
  controller('Deployment', 'api', { replicas: 2 }),
  controller('StatefulSet', 'db', database),
  controller('DaemonSet', 'logs'),
  named('batch/v1', 'CronJob', 'report', report),
  named('v1', 'Service', 'db', { clusterIP: 'None', selector: { app: 'db' }, ports: [{ port: 5432 }] }),
  named('v1', 'Service', 'edge', { type: 'LoadBalancer', selector: { app: 'none' }, ports: [{ port: 443 }] }),
  named('policy/v1', 'PodDisruptionBudget', 'cache', { minAvailable: 1, selector: { matchLabels: { app: 'cache' } } }),
  named('autoscaling/v2', 'HorizontalPodAutoscaler', 'api', scaling),
]

/** Deployed from its own kustomization. */
export const web = controller('Deployment', 'web', { replicas: 3 })

/** Deployed by Helm. */
export const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: front\nversion: 1.2.3\n',
  'values.yaml': 'resources:\n  requests: {cpu: "1", memory: 2Gi}\n',
  'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels:
    app.kubernetes.io/name: front
    app.kubernetes.io/instance: {{ .Release.Name }}
    app.kubernetes.io/managed-by: {{ .Release.Service }}
    helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
spec:
  replicas: 2
  selector: { matchLabels: { app: front } }
  template:
    metadata:
      labels: { app: front }
      annotations: ${JSON.stringify(usageAnnotations)}
    spec:
      containers:
        - name: front
          image: shop/front:1.0
          resources: {{- toYaml .Values.resources | nindent 12 }}
`,
}
