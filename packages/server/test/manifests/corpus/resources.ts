import { deployment, half, type Case } from './case.ts'

/** Fields under `resources` of a container. */
export const resources: Case[] = [
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
]
