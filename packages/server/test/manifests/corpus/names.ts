import { deployment, half, type Case } from './case.ts'

/** Names of objects. */
export const names: Case[] = [
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
]
