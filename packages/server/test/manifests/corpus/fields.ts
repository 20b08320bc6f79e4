import { cronJob, deployment, type Case } from './case.ts'

/** Fields of the objects themselves. */
export const fields: Case[] = [
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
