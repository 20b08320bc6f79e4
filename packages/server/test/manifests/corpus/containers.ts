import { deployment, half, type Case } from './case.ts'

/** Which containers a pod has, and in which order. */
export const containers: Case[] = [
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
    trap: 'one name for an init container and a container, beside what changes',
    source: deployment(
      'twice-named',
      `
initContainers:
- {name: same, image: s, resources: {requests: {cpu: 100m}}}
containers:
- {name: app, image: a, resources: {requests: {cpu: 500m}}}
- {name: same, image: s, resources: {requests: {cpu: 200m}}}
`,
    ),
    set: { app: half },
  },
]
