import { describe, expect, test } from 'vitest'
import type { Action } from '../../rules/action.ts'
import { someActions } from '../../testing/some-actions.ts'
import { aChange, renderSome } from '../builders.ts'
import type { CommandCluster } from './command-step.ts'
import { commandsFor } from './commands-for.ts'

const providers = ['aws', 'gcp', 'azure', 'other']
const at = (provider: string): CommandCluster => ({
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
      const lines = linesOf(provider, sample)
      const first = lines.findIndex((line) =>
        / delete (persistentvolume|-volume)|delete-volume|disks? delete/.test(line),
      )
      expect(lines[first]).toMatch(
        /^(kubectl .* wait volumesnapshot|aws ec2 wait snapshot|\[ "\$\(|: "\$\{SNAPSHOT)[^&]* && .*delete/,
      )
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
  ['karpenter', 'aws', /^kubectl .* delete node n-1 n-2$/],
  ['cluster-autoscaler', 'gcp', /wait --for=delete node\/n-1 node\/n-2/],
  ['none', 'aws', /terminate-instance-in-auto-scaling-group .* --should-decrement-desired-capacity --region here-1$/],
  ['none', 'gcp', /delete-instances .* --instances=n-1,n-2 /],
  ['unknown', 'azure', /^az aks nodepool delete-machines .* --nodepool-name general --machine-names n-1 n-2$/],
] as const)('nodes of a pool with scaler %s at %s are removed by name', (scaler, provider, last) => {
  const steps = removal({ scaler }, provider)
  expect(steps.map(({ title }) => title).slice(0, 2)).toEqual([
    'Stop scheduling on the nodes',
    'Move the pods to other nodes',
  ])
  expect(steps.at(-1)?.commands.at(-1)).toMatch(last)
})

test.each(['-n', 'a;b', 'a b$(c)', "a'b", 'a\nb', '`a`'])('a name that is no name gets no commands: %j', (name) => {
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
