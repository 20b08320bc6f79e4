// A scripted API server in a separate process: any number of pods of realistic size, some of which change.
import { createServer, type ServerResponse } from 'node:http'

const podCount = Number(process.argv[2])
const changesPerSecond = Number(process.argv[3] ?? 0)
const podsPerNode = 30
const podsPerReplicaSet = 10
const nodeCount = Math.max(1, Math.ceil(podCount / podsPerNode))
const replicaSetCount = Math.ceil(podCount / podsPerReplicaSet)

const uid = (kind: number, index: number) =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
const created = '2026-01-01T00:00:00Z'

/** Fields that every real object has, but the agent does not need. */
const managedFields = (manager: string) => [
  {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: created,
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`f:field-number-${index}`, { '.': {}, 'f:name': {}, 'f:value': {} }]),
    ),
  },
]

function pod(index: number, phase = 'Running') {
  const set = Math.floor(index / podsPerReplicaSet)
  const name = `service-${set}-6b7f8c9d5`
  const statuses = [
    {
      name: 'app',
      restartCount: 0,
      ready: true,
      state: { running: { startedAt: created } },
      image: 'registry.example/team/service:1.2.3',
      imageID: `registry.example/team/service@sha256:${'a'.repeat(64)}`,
      containerID: `containerd://${'b'.repeat(64)}`,
    },
  ]
  return {
    metadata: {
      name: `${name}-${index.toString(36).padStart(5, '0')}`,
      generateName: `${name}-`,
      namespace: `team-${set % 100}`,
      uid: uid(1, index),
      resourceVersion: String(1_000_000 + index),
      creationTimestamp: created,
      labels: {
        'app.kubernetes.io/name': `service-${set}`,
        'app.kubernetes.io/part-of': 'shop',
        team: `team-${set % 100}`,
        'pod-template-hash': '6b7f8c9d5',
      },
      annotations: { 'prometheus.io/scrape': 'true', 'checksum/config': 'c'.repeat(64) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name,
          uid: uid(2, set),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: managedFields('kube-controller-manager'),
    },
    spec: {
      volumes: [
        {
          name: 'kube-api-access-x',
          projected: {
            defaultMode: 420,
            sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }],
          },
        },
      ],
      containers: [
        {
          name: 'app',
          image: 'registry.example/team/service:1.2.3',
          resources: {
            requests: { cpu: `${100 + (set % 40) * 25}m`, memory: `${128 + (set % 16) * 64}Mi` },
            limits: { memory: '2Gi' },
          },
          env: Array.from({ length: 20 }, (_, number) => ({
            name: `SETTING_${number}`,
            value: `value of setting ${number}`,
          })),
          volumeMounts: [
            { name: 'kube-api-access-x', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
          ],
          livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, timeoutSeconds: 1, periodSeconds: 10 },
        },
        ...(set % 2 === 0
          ? [
              {
                name: 'proxy',
                image: 'registry.example/mesh/proxy:1',
                resources: { requests: { cpu: '50m', memory: '64Mi' } },
              },
            ]
          : []),
      ],
      nodeName: `node-${index % nodeCount}`,
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
      schedulerName: 'default-scheduler',
      priority: 0,
    },
    status: {
      phase,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: created,
      })),
      containerStatuses: statuses,
      podIP: '10.0.0.1',
      startTime: created,
    },
  }
}

const node = (index: number) => ({
  metadata: {
    name: `node-${index}`,
    uid: uid(3, index),
    creationTimestamp: created,
    labels: {
      'node.kubernetes.io/instance-type': 'm5.4xlarge',
      'topology.kubernetes.io/region': 'eu-central-1',
      'kubernetes.io/hostname': `node-${index}`,
    },
    managedFields: managedFields('kubelet'),
  },
  spec: { providerID: `aws:///eu-central-1a/i-${index}` },
  status: {
    capacity: { cpu: '16', memory: '64Gi', pods: '110' },
    allocatable: { cpu: '15800m', memory: '60Gi', pods: '110' },
    images: Array.from({ length: 50 }, (_, number) => ({
      names: [`registry.example/image-${number}@sha256:${'d'.repeat(64)}`],
      sizeBytes: 123,
    })),
  },
})

const replicaSet = (index: number) => ({
  metadata: {
    name: `service-${index}-6b7f8c9d5`,
    namespace: `team-${index % 100}`,
    uid: uid(2, index),
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'Deployment', name: `service-${index}`, uid: uid(4, index), controller: true },
    ],
    managedFields: managedFields('kube-controller-manager'),
  },
})

const deployment = (index: number) => ({
  metadata: {
    name: `service-${index}`,
    namespace: `team-${index % 100}`,
    uid: uid(4, index),
    labels: { team: `team-${index % 100}` },
    managedFields: managedFields('helm'),
  },
  spec: {
    replicas: podsPerReplicaSet,
    template: { spec: { containers: pod(index * podsPerReplicaSet).spec.containers } },
  },
})

const podMetrics = (index: number) => {
  const { metadata, spec } = pod(index)
  const at = new Date(Math.floor(Date.now() / 15_000) * 15_000).toISOString()
  return {
    metadata: { name: metadata.name, namespace: metadata.namespace, creationTimestamp: at, labels: metadata.labels },
    timestamp: at,
    window: '15s',
    containers: spec.containers.map(({ name }) => ({
      name,
      usage: { cpu: `${1_000_000 + index}n`, memory: `${20_000 + (index % 1000)}Ki` },
    })),
  }
}

const kinds: Record<string, { count: number; make: (index: number) => object }> = {
  '/api/v1/pods': { count: podCount, make: pod },
  '/api/v1/nodes': { count: nodeCount, make: node },
  '/api/v1/namespaces': { count: 100, make: (index) => ({ metadata: { name: `team-${index}`, uid: uid(5, index) } }) },
  '/apis/apps/v1/replicasets': { count: replicaSetCount, make: replicaSet },
  '/apis/apps/v1/deployments': { count: replicaSetCount, make: deployment },
  '/apis/metrics.k8s.io/v1beta1/pods': { count: podCount, make: podMetrics },
}

async function list(response: ServerResponse, path: string, from: number, limit: number): Promise<void> {
  const { count, make } = kinds[path] ?? { count: 0, make: () => ({}) }
  const to = Math.min(count, from + limit)
  response.write(`{"kind":"List","metadata":{"resourceVersion":"1","continue":"${to < count ? to : ''}"},"items":[`)
  for (let index = from; index < to; index += 1) {
    const canWriteMore = response.write(`${index === from ? '' : ','}${JSON.stringify(make(index))}`)
    if (!canWriteMore) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end(']}')
}

function watch(response: ServerResponse, path: string): void {
  response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } })}\n`)
  if (path !== '/api/v1/pods' || changesPerSecond === 0) return
  let next = 0
  const timer = setInterval(() => {
    for (let change = 0; change < changesPerSecond; change += 1) {
      next = (next + 7919) % podCount
      const phase = next % 2 === 0 ? 'Running' : 'Pending'
      response.write(`${JSON.stringify({ type: 'MODIFIED', object: pod(next, phase) })}\n`)
    }
  }, 1000)
  response.on('close', () => clearInterval(timer))
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  response.setHeader('content-type', 'application/json')
  if (pathname === '/version') return void response.end('{"gitVersion":"v1.35.0"}')
  if (searchParams.has('watch')) return watch(response, pathname)
  const limit = Number(searchParams.get('limit') ?? Infinity)
  void list(response, pathname, Number(searchParams.get('continue') ?? 0), limit || Infinity)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
process.on('disconnect', () => process.exit(0))
