/** A manifest as it lies in somebody's Git, the trap in it, and what is to be changed. */
export type Case = {
  trap: string
  source: string
  /** By container: what to set; null removes. */
  set?: Record<string, { requests?: Record<string, string | null>; limits?: Record<string, string | null> }>
  /** Of the object itself. */
  fields?: { path: string; from: string | null; to: string | null }[]
  /** A file that a patch must not be applied to as a whole. */
  hasSeveralDocuments?: boolean
  /** Containers that the pods have and the template does not. */
  injected?: string[]
}

const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by))

/** The rest of a manifest around the pod's spec; what it is called is the trap's name. */
export function workload(kind: string, name: string, podSpec: string, apiVersion = 'apps/v1'): string {
  const selector = kind === 'CronJob' || kind === 'Service' ? '' : `  selector: {matchLabels: {app: ${name}}}\n`
  const service = kind === 'StatefulSet' ? `  serviceName: ${name}\n` : ''
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n${selector}${service}  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n${indent(podSpec.trimStart(), 6)}`
}

const deployment = (name: string, podSpec: string) => workload('Deployment', name, podSpec)

const cronJob = (name: string, podSpec: string) =>
  `apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: ${name}\nspec:\n  schedule: "0 3 * * *"\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n${indent(podSpec.trimStart(), 10)}`

const half = { requests: { cpu: '250m', memory: '256Mi' } }

export const corpus: Case[] = [
  {
    trap: 'plain: both requests are there',
    source: deployment(
      'plain',
      `
containers:
- name: app
  image: app:1
  resources: {requests: {cpu: 500m, memory: 512Mi}}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'no resources at all',
    source: deployment(
      'no-resources',
      `
containers:
- name: app
  image: app:1
`,
    ),
    set: { app: half },
  },
  {
    trap: 'resources is an empty object',
    source: deployment(
      'empty-resources',
      `
containers:
- name: app
  image: app:1
  resources: {}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'limits without requests',
    source: deployment(
      'limits-only',
      `
containers:
- name: app
  image: app:1
  resources:
    limits: {cpu: "2", memory: 2Gi}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'requests without limits, and a limit is added',
    source: deployment(
      'requests-only',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {cpu: 500m, memory: 512Mi}
`,
    ),
    set: { app: { limits: { memory: '1Gi' } } },
  },
  {
    trap: 'a GPU among the limits',
    source: deployment(
      'gpu-limit',
      `
containers:
- name: train
  image: train:1
  resources:
    limits: {nvidia.com/gpu: 1, memory: 64Gi}
    requests: {memory: 64Gi, cpu: "8"}
`,
    ),
    set: { train: { requests: { cpu: '4' } } },
  },
  {
    trap: 'the GPU count itself changes, which has a slash in its name',
    source: deployment(
      'gpu-count',
      `
containers:
- name: train
  image: train:1
  resources:
    limits: {nvidia.com/gpu: "4"}
    requests: {nvidia.com/gpu: "4", cpu: "8"}
`,
    ),
    set: { train: { requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } } },
  },
  {
    trap: 'a MIG slice, which has dots and a slash in its name',
    source: deployment(
      'mig',
      `
containers:
- name: infer
  image: infer:1
  resources: {limits: {nvidia.com/mig-1g.5gb: 1}, requests: {cpu: "2", memory: 4Gi}}
`,
    ),
    set: { infer: { requests: { cpu: '1' } } },
  },
  {
    trap: 'ephemeral storage beside what changes',
    source: deployment(
      'ephemeral',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {ephemeral-storage: 2Gi, cpu: "1"}
    limits: {ephemeral-storage: 4Gi}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'ephemeral storage is the only request',
    source: deployment(
      'ephemeral-only',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {ephemeral-storage: 2Gi}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'huge pages, which are a limit and a request',
    source: deployment(
      'hugepages',
      `
containers:
- name: db
  image: db:1
  resources:
    requests: {hugepages-2Mi: 64Mi, memory: 1Gi, cpu: "1"}
    limits: {hugepages-2Mi: 64Mi, memory: 2Gi}
`,
    ),
    set: { db: { requests: { memory: '768Mi' } } },
  },
  {
    trap: 'dynamic resource claims live under resources',
    source: deployment(
      'claims',
      `
resourceClaims: [{name: card, resourceClaimTemplateName: card}]
containers:
- name: app
  image: app:1
  resources:
    claims: [{name: card}]
`,
    ),
    set: { app: half },
  },
  {
    trap: 'the second of three containers',
    source: deployment(
      'middle',
      `
containers:
- {name: first, image: a, resources: {requests: {cpu: 100m}}}
- {name: second, image: b, resources: {requests: {cpu: 500m}}}
- {name: third, image: c, resources: {requests: {cpu: 300m}}}
`,
    ),
    set: { second: { requests: { cpu: '250m' } } },
  },
  {
    trap: 'the last container, and the first has no resources',
    source: deployment(
      'last',
      `
containers:
- {name: first, image: a}
- {name: last, image: b}
`,
    ),
    set: { last: half },
  },
  {
    trap: 'containers in an order that is not the alphabet’s',
    source: deployment(
      'unsorted',
      `
containers:
- {name: zebra, image: z, resources: {requests: {cpu: 500m}}}
- {name: ant, image: a, resources: {requests: {cpu: 500m}}}
- {name: mole, image: m, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { mole: half, zebra: half },
  },
  {
    trap: 'init containers whose order means something',
    source: deployment(
      'init-order',
      `
initContainers:
- {name: migrate, image: m, resources: {requests: {cpu: "1"}}}
- {name: check, image: c}
- {name: before, image: b}
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { check: { requests: { cpu: '100m' } } },
  },
  {
    trap: 'an init container and an app container together',
    source: deployment(
      'init-and-app',
      `
initContainers:
- {name: wait, image: w, resources: {requests: {cpu: "2", memory: 2Gi}}}
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m, memory: 512Mi}}}
`,
    ),
    set: { wait: half, app: half },
  },
  {
    trap: 'a native sidecar among the init containers',
    source: deployment(
      'native-sidecar',
      `
initContainers:
- {name: setup, image: s}
- {name: proxy, image: p, restartPolicy: Always, resources: {requests: {cpu: 200m, memory: 128Mi}}}
- {name: after, image: f}
containers:
- {name: app, image: a}
`,
    ),
    set: { proxy: { requests: { cpu: '50m' } } },
  },
  {
    trap: 'quantities as numbers without quotes',
    source: deployment(
      'bare-numbers',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {cpu: 2, memory: 1073741824}
    limits: {cpu: 4}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'quantities with fractions and exponents',
    source: deployment(
      'odd-quantities',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {cpu: "0.5", memory: 1e9}
    limits: {memory: "2.5Gi"}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'the same value in other words',
    source: deployment(
      'same-value',
      `
containers:
- name: app
  image: app:1
  resources: {requests: {cpu: 2000m, memory: 2048Mi}}
`,
    ),
    set: { app: { requests: { cpu: '2', memory: '2Gi' } } },
  },
  {
    trap: 'a name that YAML 1.1 takes for a truth',
    source: deployment(
      'truth',
      `
containers:
- {name: "on", image: a, resources: {requests: {cpu: 500m}}}
- {name: "y", image: b, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { on: half, y: half },
  },
  {
    trap: 'a name that looks like a number',
    source: deployment(
      '"123"',
      `
containers:
- {name: "0", image: a, resources: {requests: {cpu: 500m}}}
- {name: 1e3, image: b}
`,
    )
      .replace('app: "123"', 'app: n123')
      .replace('app: "123"', 'app: n123')
      .replace('name: 1e3', 'name: "1e3"'),
    set: { '0': half, '1e3': half },
  },
  {
    trap: 'an object name with dots, which are wildcards in a pattern',
    source: deployment(
      'web.example.com',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'the neighbour that a pattern with unescaped dots would hit',
    source: deployment(
      'webxexample.com',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 700m}}}
`,
    ),
    set: {},
  },
  {
    trap: 'a longer name that begins like another one',
    source: deployment(
      'plain-two',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 700m}}}
`,
    ),
    set: {},
  },
  {
    trap: 'an anchor for the resources of two containers',
    source: deployment(
      'anchors',
      `
containers:
- name: app
  image: app:1
  resources: &small {requests: {cpu: 500m, memory: 512Mi}}
- name: other
  image: other:1
  resources: *small
`,
    ),
    set: { app: half },
  },
  {
    trap: 'a merge key',
    source: deployment(
      'merge-key',
      `
containers:
- name: app
  image: app:1
  resources:
    limits: &most {cpu: "2", memory: 2Gi}
    requests:
      <<: *most
      cpu: "1"
`,
    ),
    set: { app: half },
  },
  {
    trap: 'Windows line ends',
    source: deployment(
      'crlf',
      `
containers:
- name: app
  image: app:1
  resources:
    requests:
      cpu: 500m
`,
    ).replaceAll('\n', '\r\n'),
    set: { app: half },
  },
  {
    trap: 'comments everywhere',
    source: deployment(
      'comments',
      `
# the containers
containers:
- name: app # the app
  image: app:1
  resources:
    # what it asks for
    requests:
      cpu: 500m # half a core
`,
    ),
    set: { app: half },
  },
  {
    trap: 'no line end at the end of the file',
    source: deployment(
      'no-newline',
      `
containers:
- name: app
  image: app:1`,
    ),
    set: { app: half },
  },
  {
    trap: 'JSON, which is YAML too',
    source: JSON.stringify(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'json' },
        spec: {
          selector: { matchLabels: { app: 'json' } },
          template: {
            metadata: { labels: { app: 'json' } },
            spec: { containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: 1 } } }] },
          },
        },
      },
      null,
      2,
    ),
    set: { app: half },
  },
  {
    trap: 'several documents in one file',
    source: `${deployment(
      'several',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    )}---
apiVersion: v1
kind: Service
metadata:
  name: several
spec:
  selector: {app: several}
  ports: [{port: 80}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: several
data: {containers: "none"}
`,
    set: { app: half },
    hasSeveralDocuments: true,
  },
  {
    trap: 'a document mark at the start and the end',
    source: `---\n${deployment(
      'marks',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    )}...\n`,
    set: { app: half },
  },
  {
    trap: 'pod-level resources beside those of the container',
    source: deployment(
      'pod-level',
      `
resources:
  requests: {cpu: "2", memory: 2Gi}
containers:
- {name: app, image: a, resources: {requests: {cpu: "1", memory: 1Gi}}}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'a StatefulSet with claim templates, which have resources too',
    source: `${workload(
      'StatefulSet',
      'claims-too',
      `
containers:
- {name: db, image: d, resources: {requests: {cpu: "1", memory: 1Gi}}}
`,
    )}  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
`,
    set: { db: half },
  },
  {
    trap: 'a DaemonSet',
    source: workload(
      'DaemonSet',
      'agent',
      `
containers:
- {name: agent, image: a, resources: {requests: {cpu: 200m, memory: 200Mi}}}
`,
    ),
    set: { agent: { requests: { cpu: '50m' } } },
  },
  {
    trap: 'a ReplicaSet without a Deployment',
    source: workload(
      'ReplicaSet',
      'lonely',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'a CronJob, whose template lies deeper',
    source: cronJob(
      'nightly',
      `
containers:
- {name: job, image: j, resources: {requests: {cpu: "2", memory: 4Gi}}}
`,
    ),
    set: { job: { requests: { memory: '1Gi' } } },
  },
  {
    trap: 'a CronJob with an init container and nothing asked for',
    source: cronJob(
      'nightly-init',
      `
initContainers:
- {name: fetch, image: f}
containers:
- {name: job, image: j}
`,
    ),
    set: { fetch: half, job: half },
  },
  {
    trap: 'an Argo Rollout, whose lists a merge would replace',
    source: workload(
      'Rollout',
      'canary',
      `
containers:
- {name: first, image: f, resources: {requests: {cpu: "1"}}}
- {name: app, image: a, resources: {requests: {cpu: 500m}, limits: {nvidia.com/gpu: 1}}}
`,
      'argoproj.io/v1alpha1',
    ),
    set: { app: half },
  },
  {
    trap: 'a Knative Service with a name for its container',
    source: workload(
      'Service',
      'knative',
      `
containerConcurrency: 10
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
      'serving.knative.dev/v1',
    ),
    set: { app: half },
  },
  {
    trap: 'a Knative Service without a name for its container',
    source: workload(
      'Service',
      'knative-nameless',
      `
containers:
- {image: a, resources: {requests: {cpu: 500m}}}
`,
      'serving.knative.dev/v1',
    ),
    set: { 'user-container': half },
  },
  {
    trap: 'a bare pod',
    source: `apiVersion: v1
kind: Pod
metadata:
  name: bare
spec:
  containers:
  - {name: app, image: a, resources: {requests: {cpu: 500m, memory: 512Mi}}}
`,
    set: { app: half },
  },
  {
    trap: 'a limit that is taken away',
    source: deployment(
      'unlimited',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {cpu: 500m}
    limits: {cpu: 500m, memory: 1Gi}
`,
    ),
    set: { app: { limits: { cpu: null } } },
  },
  {
    trap: 'the only limit is taken away',
    source: deployment(
      'unlimited-wholly',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {cpu: 500m}
    limits: {cpu: "1"}
`,
    ),
    set: { app: { limits: { cpu: null } } },
  },
  {
    trap: 'environment with names that look like ours',
    source: deployment(
      'lookalikes',
      `
containers:
- name: app
  image: app:1
  env:
  - {name: resources, value: '{"requests": {"cpu": "1"}}'}
  - {name: CPU, valueFrom: {resourceFieldRef: {resource: requests.cpu, divisor: 1m}}}
  args: ["--resources", "requests"]
  resources: {requests: {cpu: 500m}}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'text that YAML tools like to change',
    source: deployment(
      'texts',
      `
containers:
- name: app
  image: app:1
  env:
  - {name: A, value: "on"}
  - {name: B, value: "0123"}
  - {name: C, value: "1e3"}
  - {name: D, value: "2001-01-01"}
  - name: E
    value: |
      two
      lines
  resources: {requests: {cpu: 500m}}
`,
    ),
    set: { app: half },
  },
  {
    trap: 'ports, of which two have one number',
    source: deployment(
      'ports',
      `
containers:
- name: dns
  image: dns:1
  ports:
  - {containerPort: 53, protocol: UDP, name: udp}
  - {containerPort: 53, protocol: TCP, name: tcp}
  resources: {requests: {cpu: 500m}}
`,
    ),
    set: { dns: half },
  },
  {
    trap: 'a volume that is mounted twice',
    source: deployment(
      'mounts',
      `
containers:
- name: app
  image: app:1
  volumeMounts:
  - {name: data, mountPath: /a, subPath: a}
  - {name: data, mountPath: /b, subPath: b}
  resources: {requests: {cpu: 500m}}
volumes: [{name: data, emptyDir: {}}]
`,
    ),
    set: { app: half },
  },
  {
    trap: 'requests before the name',
    source: deployment(
      'name-last',
      `
containers:
- resources: {requests: {cpu: 500m}}
  image: app:1
  name: app
`,
    ),
    set: { app: half },
  },
  {
    trap: 'only memory is asked for, and CPU is added',
    source: deployment(
      'memory-only',
      `
containers:
- name: app
  image: app:1
  resources: {requests: {memory: 512Mi}}
`,
    ),
    set: { app: { requests: { cpu: '100m' } } },
  },
  {
    trap: 'a memory limit is raised together with its request',
    source: deployment(
      'raise',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {cpu: 100m, memory: 256Mi}
    limits: {memory: 256Mi}
`,
    ),
    set: { app: { requests: { memory: '512Mi' }, limits: { memory: '512Mi' } } },
  },
  {
    trap: 'a name of 63 characters',
    source: deployment(
      'a'.repeat(63),
      `
containers:
- {name: ${'c'.repeat(63)}, image: a, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { ['c'.repeat(63)]: half },
  },
  {
    trap: 'a container named like a field',
    source: deployment(
      'fields',
      `
containers:
- {name: name, image: a, resources: {requests: {cpu: 500m}}}
- {name: resources, image: b, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { resources: half },
  },
  {
    trap: 'annotations with slashes, tildes and braces',
    source: deployment(
      'annotated',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    ).replace('metadata:\n', 'metadata:\n  annotations: {"example.com/a~b": "{x}", "k": "~1~0"}\n'),
    set: { app: half },
  },
  {
    trap: 'an extended resource with a tilde-like name beside CPU',
    source: deployment(
      'extended',
      `
containers:
- name: app
  image: app:1
  resources:
    requests: {example.com/foo: "3", cpu: "1"}
    limits: {example.com/foo: "3"}
`,
    ),
    set: { app: { requests: { 'example.com/foo': '1' }, limits: { 'example.com/foo': '1' } } },
  },
  {
    trap: 'injected containers are in the pods, not in the template',
    source: deployment(
      'meshed',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    ),
    set: { app: half },
    injected: ['istio-proxy'],
  },
  {
    trap: 'a namespace in the manifest',
    source: deployment(
      'placed',
      `
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
`,
    ).replace('metadata:\n', 'metadata:\n  namespace: shop\n'),
    set: { app: half },
  },
  {
    trap: 'the number of replicas',
    source: deployment(
      'replicas',
      `
containers:
- {name: app, image: a}
`,
    ).replace('spec:\n', 'spec:\n  replicas: 10\n'),
    fields: [{ path: 'spec.replicas', from: '10', to: '4' }],
  },
  {
    trap: 'the number of replicas that is not said',
    source: deployment(
      'replicas-default',
      `
containers:
- {name: app, image: a}
`,
    ),
    fields: [{ path: 'spec.replicas', from: '1', to: '0' }],
  },
  {
    trap: 'the bounds of an autoscaler, beside metrics that are one list',
    source: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: bounds
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: plain}
  minReplicas: 5
  maxReplicas: 20
  metrics:
  - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 70}}}
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}
`,
    fields: [{ path: 'spec.minReplicas', from: '5', to: '2' }],
  },
  {
    trap: 'a claim that grows',
    source: `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 10Gi}}
`,
    fields: [{ path: 'spec.resources.requests.storage', from: '10Gi', to: '20Gi' }],
  },
  {
    trap: 'a Service of the core, which is no Knative Service',
    source: `apiVersion: v1
kind: Service
metadata:
  name: door
spec:
  type: LoadBalancer
  ports: [{port: 80}]
`,
    fields: [{ path: 'spec.type', from: 'LoadBalancer', to: 'ClusterIP' }],
  },
  {
    trap: 'a schedule, which begins with a star',
    source: cronJob(
      'often',
      `
containers:
- {name: job, image: j}
`,
    ),
    fields: [{ path: 'spec.schedule', from: '0 3 * * *', to: '*/15 * * * *' }],
  },
  {
    trap: 'a CronJob that is suspended',
    source: cronJob(
      'paused',
      `
containers:
- {name: job, image: j}
`,
    ),
    fields: [{ path: 'spec.suspend', from: 'false', to: 'true' }],
  },
]
