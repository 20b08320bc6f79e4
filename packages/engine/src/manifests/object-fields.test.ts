import { describe, expect, test } from 'vitest'
import { aChange, aWorkload, codesOf, renderSome } from './builders.ts'
import type { WantedChange } from './plan-patches.ts'

describe('objects without containers', () => {
  const about = (
    kind: string,
    fields: Record<string, string | null>,
    action: WantedChange['change']['action'] = 'set_labels',
  ) => {
    const wanted = aChange(fields, 'not_seen')
    return {
      ...wanted,
      change: { ...wanted.change, action, object: { kind, namespace: 'shop', name: 'thing', container: '' } },
    }
  }

  test.each([
    ['deleting', about('PersistentVolume', {}, 'delete'), 'delete_by_hand'],
    ['an investigation', about('Deployment', {}, 'investigate'), 'needs_investigation'],
    ['a label with an unknown value', about('Namespace', { 'metadata.labels.team': null }), 'value_missing'],
    [
      'a shrinking claim',
      about('PersistentVolumeClaim', { 'spec.resources.requests.storage': '1Gi' }),
      'immutable_field',
    ],
    ['another storage class', about('PersistentVolumeClaim', { 'spec.storageClassName': 'gp3' }), 'immutable_field'],
    ['any other field', about('Service', { 'spec.clusterIP': 'None' }), 'not_expressible'],
    ['text instead of a number', about('Deployment', { 'spec.replicas': 'two' }), 'invalid_quantity'],
    ['a schedule with a command', about('CronJob', { 'spec.schedule': '* * * * *\n; rm' }), 'invalid_quantity'],
    ['an invalid label', about('Namespace', { 'metadata.labels.team': 'a b' }), 'invalid_name'],
  ])('%s is skipped with advice', (_what, wanted, code) => {
    expect(codesOf(wanted)).toEqual([code])
    expect(renderSome([wanted]).skipped[0]?.message.length).toBeGreaterThan(20)
  })

  test('a change of an object in Git is removed there as well; a node is not in Git', () => {
    const adviceOf = (kind: string) => renderSome([about(kind, {}, 'delete')]).skipped[0]?.message
    expect(adviceOf('Service')).toContain('Git')
    expect(adviceOf('Node')).not.toContain('Git')
  })

  test('a label with a value is merged, and not patched if its parent may be missing', () => {
    const wanted = about('Namespace', { 'metadata.labels.team': 'red' })
    expect(renderSome([wanted], 'strategic-merge').files).toMatchObject([
      { content: { metadata: { name: 'thing', labels: { team: 'red' } } } },
    ])
    expect(renderSome([wanted]).skipped).toMatchObject([
      { code: 'not_expressible', alternativeFormat: 'strategic-merge' },
    ])
  })
})

describe('changes of objects around a workload:', () => {
  const about = (kind: string, name: string, container: string, { path, to }: { path: string; to: string }) =>
    aChange({}, aWorkload(), {
      change: {
        action: 'reconfigure',
        summary: 'Do it there.',
        object: { kind, namespace: kind === 'Sidecar' ? '' : 'shop', name, container },
        fields: [{ path, from: '10', to }],
      },
    })

  test.each([
    ['HorizontalPodAutoscaler', 'autoscaling/v2', 'spec.minReplicas', '/spec/minReplicas'],
    ['ScaledObject', 'keda.sh/v1alpha1', 'spec.minReplicaCount', '/spec/minReplicaCount'],
  ])('the minimum of a %s is set on the autoscaler', (kind, apiVersion, path, pointer) => {
    const [file] = renderSome([about(kind, 'web-scaler', '', { path, to: '4' })]).files
    expect(file?.target).toMatchObject({ apiVersion, kind, name: 'web-scaler' })
    expect(file?.content).toContainEqual({ op: 'test', path: '/kind', value: kind })
    expect(file?.content).toContainEqual({ op: 'add', path: pointer, value: 4 })
  })

  test('a custom resource is merged by a command that does not merge lists', () => {
    const { apply } = renderSome(
      [about('ScaledObject', 'web-scaler', '', { path: 'spec.minReplicaCount', to: '4' })],
      'yaml',
    )
    expect(apply.map(({ command }) => command).join('\n')).toContain('--type=merge')
    expect(apply.map(({ command }) => command).join('\n')).not.toContain('--type=strategic')
  })

  test('an injected sidecar must be changed in the settings of its injector', () => {
    const sidecar = {
      ...about('Sidecar', 'proxy', 'proxy', { path: 'resources.requests.cpu', to: '50m' }),
      live: 'not_seen' as const,
    }
    expect(renderSome([sidecar]).skipped).toMatchObject([
      { code: 'container_not_in_template', message: expect.stringContaining('Do it there.') as string },
    ])
  })
})
