import { deployment, half, type Case } from './case.ts'

/** Ways to write the file. */
export const sources: Case[] = [
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
]
