import { describe, expect, test } from 'vitest'
import type { Action } from '../../rules/action.ts'
import { someActions } from '../../testing/some-actions.ts'
import { aChange, renderSome } from '../builders.ts'
import type { CommandCluster } from './command-step.ts'
import { commandsFor } from './commands-for-action.ts'

const providers = ['aws', 'gcp', 'azure', 'other']
const at = (provider: string): CommandCluster => ({
  id: 'cls_1',
  name: 'prod',
  provider,
  region: 'here-1',
  contextVariable: 'CONTEXT',
})
const linesOf = (provider: string, { action, object }: (typeof someActions)[number]) =>
  commandsFor(action, { object, cluster: at(provider) }).flatMap(({ commands }) => commands)

const removal = (action: Partial<Extract<Action, { kind: 'remove_nodes' }>>, provider = 'aws') =>
  commandsFor(
    { kind: 'remove_nodes', nodes: ['n-1', 'n-2'], pool: 'general', scaler: 'none', ...action },
    { object: { kind: 'NodePool', namespace: '', name: 'general', container: '' }, cluster: at(provider) },
  )

describe.each(providers)('at the provider %s', (provider) => {
  const all = someActions.flatMap((sample) => linesOf(provider, sample))

  test('every kubectl command names its context', () => {
    for (const line of all)
      expect(line.replaceAll('kubectl --context="${CONTEXT:?is not set}"', '')).not.toContain('kubectl')
  })

  test('no volume, claim or disk is deleted without a complete snapshot', () => {
    for (const sample of someActions.filter(({ action }) => action.kind === 'delete_volume')) {
      const deletions = linesOf(provider, sample).filter((line) => / delete|disks? delete/.test(line))
      expect(deletions).not.toEqual([])
      for (const line of deletions)
        expect(line).toMatch(/(\{DISK:\?is not set\}|"persistentVolumeReclaimPolicy":"Retain").* && .* delete/)
    }
  })

  test('no command waits for an answer, which would be the next pasted line', () => {
    for (const line of all) {
      for (const command of line.split(' && ')) {
        if (/^gcloud .* (delete|delete-instances|upgrade) /.test(command)) expect(command).toContain(' --quiet')
        if (/^az disk delete|^az aks upgrade/.test(command)) expect(command).toContain(' --yes')
        if (/^eksctl (delete|upgrade)/.test(command)) expect(command).toContain(' --approve')
      }
    }
  })

  test('no drain deletes local data, and nodes are cordoned before a drain', () => {
    for (const line of all) expect(line).not.toMatch(/--delete-emptydir-data|--force/)
    for (const { action, object } of someActions) {
      const lines = linesOf(provider, { action, object })
      const [cordon, drain] = [' cordon ', ' drain '].map((word) => lines.findIndex((line) => line.includes(word)))
      if (drain !== undefined && drain >= 0) expect(cordon).toBeLessThan(drain)
    }
  })
})

test.each([
  ['karpenter', 'aws', /^kubectl .* drain n-1 n-2 [^&|;]* && kubectl .* delete node n-1 n-2$/],
  ['cluster-autoscaler', 'gcp', /wait --for=delete node\/n-1 node\/n-2/],
  [
    'none',
    'aws',
    /^kubectl .* drain n-2 [^&|;]* && .*terminate-instance-in-auto-scaling-group .* --should-decrement-desired-capacity --region here-1$/,
  ],
  [
    'none',
    'gcp',
    /^kubectl .* drain n-2 [^&|;]* && ZONE=.* && INSTANCE_GROUP=.* && gcloud .*delete-instances .* --instances=n-2 /,
  ],
  [
    'unknown',
    'azure',
    /^kubectl .* drain n-1 n-2 [^&|;]* && NODE_GROUP=.* && az aks nodepool delete-machines .* --nodepool-name general --machine-names n-1 n-2$/,
  ],
] as const)('nodes of a pool with scaler %s at %s are removed by name', (scaler, provider, last) => {
  const steps = removal({ scaler }, provider)
  expect(steps.map(({ title }) => title).slice(0, 2)).toEqual([
    'Stop scheduling on the nodes',
    'Move the pods to other nodes',
  ])
  expect(steps.at(-1)?.commands.at(-1)).toMatch(last)
})

test.each(['-n', 'a;b', 'a b$(c)', "a'b", 'a\nb', '`a`'])('an invalid name gets no commands: %j', (name) => {
  expect(removal({ nodes: [name] })).toEqual([])
  expect(removal({ pool: name })).toEqual([])
})

test('each of several clusters has its own context', () => {
  const wanted = ['prod', 'eu'].map((name) =>
    aChange({}, 'not_seen', {
      ...{ id: `rec_${name}`, clusterId: name, clusterName: name, action: { kind: 'delete_service' } },
      change: {
        action: 'delete',
        summary: 'Delete it.',
        object: { kind: 'Service', namespace: 'shop', name: 'front', container: '' },
        fields: [],
      },
    }),
  )
  const { commands, skipped } = renderSome(wanted, 'yaml')
  expect(skipped).toHaveLength(2)
  expect(
    commands.map(({ recommendationId, steps }) => [
      recommendationId,
      /CONTEXT\w*/.exec(steps[0]?.commands[0] ?? '')?.[0],
    ]),
  ).toEqual([
    ['rec_eu', 'CONTEXT_FOR_EU'],
    ['rec_prod', 'CONTEXT_FOR_PROD'],
  ])
})

test('the control plane is upgraded one minor version at a time', () => {
  const [sample] = someActions.filter(({ action }) => action.kind === 'upgrade_control_plane')
  const versions = sample && linesOf('aws', sample).map((line) => /--version (\S+)/.exec(line)?.[1])
  expect(versions).toEqual(['1.31', '1.32', '1.33'])
})

test('files of objects with the same name in other namespaces and clusters have other names', () => {
  const files = ['cls_1', 'cls_2'].flatMap((id) =>
    [
      ['a', 'b-c'],
      ['a-b', 'c'],
    ].map(([namespace = '', name = '']) => {
      const object = { kind: 'Service', namespace, name, container: '' }
      const [save, remove] = commandsFor({ kind: 'delete_service' }, { object, cluster: { ...at('aws'), id } })
      const file = /^test -s (\S+) && /.exec(remove?.commands[0] ?? '')?.[1] ?? ''
      expect(save?.commands[0]).toContain(`> ${file}.new && mv -f ${file}.new ${file} && `)
      return file
    }),
  )
  expect(files[0]).toMatch(/^service-a-b-c-[0-9a-f]{8}\.yaml$/)
  expect(new Set(files).size).toBe(4)
})

test('a second run of the first step keeps the saved Service, and of a deleted namespace the saved objects', () => {
  const object = { kind: 'Service', namespace: 'shop', name: 'front', container: '' }
  const [balancer] = commandsFor({ kind: 'delete_service' }, { object, cluster: at('aws') })
  expect(balancer?.commands[0]).toMatch(
    /^\[ "\$\(kubectl \S+ \S+ \S+ get service front -n shop -o jsonpath='\{\.spec\.type\}'\)" = LoadBalancer \] && kubectl .* > service-/,
  )
  const [objects] = commandsFor(
    { kind: 'delete_namespace' },
    { object: { kind: 'Namespace', namespace: '', name: 'shop', container: '' }, cluster: at('aws') },
  )
  expect(objects?.commands[0]).toMatch(/^kubectl .* get namespace shop -o name && kubectl .* > namespace-shop-/)
})

test('the budgets of each node have their own file', () => {
  const files = ['n-1', 'n-2'].map((node) => {
    const objects = { pod: { namespace: 'shop', name: 'web-1' }, disruptionBudgets: ['web', 'all'] }
    const [lift] = commandsFor(
      { kind: 'unblock_node', node, pool: 'general', scaler: 'none', blocker: 'several-budgets', objects },
      { object: { kind: 'Node', namespace: '', name: node, container: '' }, cluster: at('aws') },
    )
    return /^(\S+) restores/.exec(lift?.note ?? '')?.[1]
  })
  expect(files[0]).toMatch(/^disruption-budgets-shop-n-1-[0-9a-f]{8}\.yaml$/)
  expect(files[1]).not.toBe(files[0])
})

test('claims with long names have different Jobs, and the copy is one chain of commands', () => {
  const jobs = ['a', 'b'].map((end) => {
    const claim = { namespace: 'shop', name: `${'data-'.repeat(14)}${end}` }
    const volume = { name: 'pvc-1', claim, storageClass: '', reclaimPolicy: 'Delete' }
    const lines = linesOf('aws', {
      action: { kind: 'shrink_volume', volume, gib: 20 },
      object: { kind: 'PersistentVolume', namespace: '', name: 'pvc-1', container: '' },
    })
    expect(lines).toHaveLength(2)
    return /create -f - && printf .* create -f - && kubectl .* wait job\/(\S+)/.exec(lines[1] ?? '')?.[1] ?? ''
  })
  expect(jobs[0]).toMatch(/^copy-data-.{1,49}$/)
  expect(jobs[1]).not.toBe(jobs[0])
})
