import { describe, expect, test } from 'vitest'
import { aChange, aContainer, aWorkload, codesOf, renderSome, sizes, smaller } from './builders.ts'
import type { Autoscaler, LiveWorkload } from './live-workload.ts'

describe('an autoscaler on CPU utilization', () => {
  const scaler: Autoscaler = {
    scaler: 'hpa',
    name: 'web-scaler',
    replicasMin: 2,
    replicasMax: 10,
    cpuTargetPercent: 80,
    cpuMetricIndex: 1,
    container: null,
  }
  const scaled = (given: Partial<Autoscaler> = {}, more: Partial<LiveWorkload> = {}) =>
    aWorkload({ autoscaler: { ...scaler, ...given }, ...more })

  test('gets the target that keeps its scaling point', () => {
    // 80 % of 1000m are 800m; so are 160 % of 500m.
    const { files } = renderSome([aChange({ 'resources.requests.cpu': '500m' }, scaled())], 'strategic-merge')
    expect(files).toMatchObject([
      { path: 'plimsoll/prod/shop/deployment-web.patch.yaml', syntax: 'yaml' },
      {
        path: 'plimsoll/prod/shop/horizontalpodautoscaler-web-scaler.patch.json',
        target: { apiVersion: 'autoscaling/v2', name: 'web-scaler' },
        content: [
          { op: 'test', path: '/kind' },
          { op: 'test', path: '/metadata/name', value: 'web-scaler' },
          { op: 'test', path: '/spec/metrics/1/resource/name', value: 'cpu' },
          { op: 'add', path: '/spec/metrics/1/resource/target/averageUtilization', value: 160 },
        ],
      },
    ])
  })

  test('scales slightly early rather than late', () => {
    const content = renderSome([aChange({ 'resources.requests.cpu': '700m' }, scaled())]).files.at(-1)?.content
    expect(content).toContainEqual(expect.objectContaining({ value: 114 }))
  })

  test('counts all containers of the pod', () => {
    const containers = [aContainer(), aContainer({ name: 'side', index: 1 })]
    // 80 % of 2000m are 1600m; of 1500m, 106.7 %.
    const { files } = renderSome([aChange({ 'resources.requests.cpu': '500m' }, scaled({}, { containers }))])
    expect(files.at(-1)?.content).toContainEqual(expect.objectContaining({ value: 106 }))
  })

  test('of one container counts only that container', () => {
    const containers = [aContainer(), aContainer({ name: 'side', index: 1 })]
    const live = scaled({ container: 'app' }, { containers })
    const { files } = renderSome([aChange({ 'resources.requests.cpu': '500m' }, live)])
    expect(files.at(-1)?.content).toMatchObject([
      {},
      {},
      { path: '/spec/metrics/1/containerResource/name' },
      { path: '/spec/metrics/1/containerResource/container', value: 'app' },
      { path: '/spec/metrics/1/containerResource/target/averageUtilization', value: 160 },
    ])
  })

  test.each([
    ['the location of its metric is unknown', scaled({ cpuMetricIndex: null })],
    ['KEDA manages it', scaled({ scaler: 'keda' })],
    [
      'its limits follow, and pods can no longer use that much',
      scaled({}, { containers: [aContainer({ limits: sizes(1000, 1024) })] }),
    ],
  ])('is never left unchanged: nothing is written when %s', (_why, live) => {
    expect(codesOf(aChange(smaller, live))).toEqual(['hpa_cpu_utilization'])
  })

  test.each(['yaml', 'helm'] as const)('cannot be expressed in %s, so the change is skipped', (format) => {
    expect(renderSome([aChange(smaller, scaled())], format).skipped).toMatchObject([
      { code: 'hpa_cpu_utilization', alternativeFormat: 'kustomize' },
    ])
  })

  test('is not affected by a change of memory', () => {
    expect(renderSome([aChange({ 'resources.requests.memory': '512Mi' }, scaled())]).files).toHaveLength(1)
  })

  test('that the agent does not report causes a warning', () => {
    const { warnings } = renderSome([aChange(smaller, aWorkload({ autoscaler: 'unknown' }))])
    expect(warnings).toMatchObject([{ code: 'autoscaler_not_known', recommendationIds: ['rec_1'] }])
  })

  test('sets the replicas, so no change of replicas is written', () => {
    expect(codesOf(aChange({ 'spec.replicas': '2' }, scaled()))).toEqual(['hpa_owns_replicas'])
  })
})
