import { cronJob, half, workload, type Case } from './case.ts'

/** Which kind of object has the template, and where. */
export const kinds: Case[] = [
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
]
