import { describe, expect, test } from 'vitest'
import { aChange, aContainer, aWorkload, codesOf, mib, renderSome, sizes, smaller } from './builders.ts'
import type { LiveWorkload } from './live-workload.ts'
import type { WantedChange } from './plan-patches.ts'

describe('limits', () => {
  const limited = (requests = sizes(500, 512), limits = sizes(1000, 1024)) =>
    aWorkload({ containers: [aContainer({ requests, limits })] })
  const limitsOf = (wanted: WantedChange) => {
    const [file] = renderSome([wanted], 'strategic-merge').files
    const { spec } = file?.content as {
      spec: { template: { spec: { containers: { resources: { limits?: unknown } }[] } } }
    }
    return spec.template.spec.containers[0]?.resources.limits
  }

  test('stay unchanged while the request fits', () => {
    expect(limitsOf(aChange({ 'resources.requests.cpu': '750m' }, limited()))).toBeUndefined()
  })

  test('keep their ratio when the request exceeds them', () => {
    expect(limitsOf(aChange({ 'resources.requests.cpu': '1500m' }, limited()))).toEqual({ cpu: '3' })
  })

  test('follow the request where the manifest sets them equal', () => {
    const live = limited(sizes(1000, 1024), sizes(1000, 1024))
    expect(limitsOf(aChange(smaller, live))).toEqual({ cpu: '250m' })
    expect(renderSome([aChange(smaller, live)]).warnings.map(({ code }) => code)).toContain('limits_follow')
  })

  test('from defaults of the namespace cannot be exceeded', () => {
    const container = aContainer({ requests: sizes(500, 512), limits: sizes(1000, 1024), limitKeys: [] })
    expect(codesOf(aChange({ 'resources.requests.cpu': '2' }, aWorkload({ containers: [container] })))).toEqual([
      'limit_range',
    ])
  })

  test('are never set below a request in the same change', () => {
    const live = aWorkload({ containers: [aContainer({ requests: sizes(null, null) })] })
    const fields = { 'resources.limits.cpu': '1', 'resources.requests.cpu': '2' }
    expect(codesOf(aChange(fields, live))).toEqual(['limit_below_request'])
  })

  test('may go below the current request together with it', () => {
    const fields = { 'resources.limits.cpu': '200m', 'resources.requests.cpu': '100m' }
    expect(codesOf(aChange(fields, limited()))).toEqual([])
  })

  test('are never set below the request', () => {
    expect(codesOf(aChange({ 'resources.limits.memory': '256Mi' }))).toEqual(['limit_below_request'])
  })

  test('without a request become the request, and a warning says so', () => {
    const live = aWorkload({ containers: [aContainer({ requests: sizes(100, null) })] })
    const { warnings } = renderSome([aChange({ 'resources.limits.memory': '1Gi' }, live)])
    expect(warnings).toMatchObject([{ code: 'request_follows_limit' }])
  })
})

describe('changes that a cluster would reject are not written:', () => {
  const refusals: [what: string, code: string, fields: Record<string, string | null>, live: Partial<LiveWorkload>][] = [
    ['below the LimitRange', 'limit_range', smaller, { limitRange: { min: sizes(300, null), max: sizes(null, null) } }],
    [
      'above the LimitRange',
      'limit_range',
      { 'resources.requests.cpu': '8' },
      { limitRange: { min: sizes(null, null), max: sizes(4000, null) } },
    ],
    [
      'beyond the quota',
      'quota_exceeded',
      { 'resources.requests.cpu': '2' },
      { quota: { requests: sizes(1999, null), limits: sizes(null, null) } },
    ],
    ['beyond the largest node', 'exceeds_largest_node', { 'resources.requests.memory': '65Gi' }, {}],
    [
      'above the pod-level resources',
      'exceeds_pod_level',
      { 'resources.requests.cpu': '3' },
      { podRequests: sizes(2000, null) },
    ],
    [
      'a limit above the pod-level limit',
      'exceeds_pod_level',
      { 'resources.limits.cpu': '3' },
      { podLimits: sizes(2000, null) },
    ],
    ['no quantity', 'invalid_quantity', { 'resources.requests.cpu': '250 m' }, {}],
    ['a negative quantity', 'invalid_quantity', { 'resources.requests.memory': '-1Gi' }, {}],
    ['half a GPU', 'invalid_quantity', { 'resources.limits.nvidia.com/gpu': '500m' }, {}],
    ['a Job', 'job_template_immutable', smaller, { kind: 'Job', apiVersion: 'batch/v1' }],
    ['an unknown kind', 'kind_not_supported', smaller, { kind: 'Sandbox', apiVersion: 'example.com/v1' }],
    [
      'an operator’s workload',
      'owned_by_operator',
      smaller,
      { owner: { apiVersion: 'db.example.com/v1', kind: 'Postgres', name: 'main' } },
    ],
    [
      'an injected container',
      'container_not_in_template',
      smaller,
      { containers: [aContainer({ name: 'other' })], injected: ['app'] },
    ],
    ['a renamed container', 'container_not_found', smaller, { containers: [aContainer({ name: 'renamed' })] }],
    [
      'one name for two containers',
      'container_ambiguous',
      smaller,
      { containers: [aContainer({ list: 'initContainers' }), aContainer()] },
    ],
    [
      'a pod that would change its QoS class',
      'pod_resize_refused',
      { 'resources.limits.cpu': '1', 'resources.limits.memory': '1Gi' },
      { kind: 'Pod', apiVersion: 'v1' },
    ],
  ]

  /** The next step follows the reason. */
  const nextStep = /\. .*\b(?:[Aa]sk|Add|Change|[Cc]hange|Decide|Give|[Ll]ower|[Rr]aise|[Ss]et|Wait)\b.*\.$/

  test.each(refusals)('%s', (_what, code, fields, live) => {
    const { files, skipped } = renderSome([aChange(fields, aWorkload(live))])
    expect(files).toEqual([])
    expect(skipped.map((each) => each.code)).toEqual([code])
    expect(skipped[0]?.message).toMatch(nextStep)
  })

  test.each([
    ['kustomize', 'kubectl apply -k refuses the change.'],
    ['helm', 'helm upgrade refuses the change.'],
    ['yaml', 'Use a JSON patch'],
  ] as const)('a pod without a controller, in the format %s', (format, reason) => {
    const { files, skipped } = renderSome([aChange(smaller, aWorkload({ kind: 'Pod', apiVersion: 'v1' }))], format)
    expect(files).toEqual([])
    expect(skipped).toMatchObject([{ code: 'pod_resize_refused', alternativeFormat: 'json-patch' }])
    expect(skipped[0]?.message).toContain(reason)
  })

  test('a deleted workload, and one that was never observed', () => {
    expect(codesOf(aChange(smaller, 'gone'))).toEqual(['workload_gone'])
    const cronJob = aChange(smaller, 'gone')
    const resting = { ...cronJob, change: { ...cronJob.change, object: { ...cronJob.change.object, kind: 'CronJob' } } }
    expect(renderSome([resting]).skipped).toMatchObject([
      { code: 'no_run_seen', message: expect.stringContaining('try again after its next run') as string },
    ])
    expect(codesOf(aChange(smaller, 'not_seen'))).toEqual(['workload_not_seen'])
  })

  test.each([
    { among: 'admitting' as const, which: 'that admits the pods' },
    { among: 'cluster' as const, which: 'of the cluster' },
    { among: undefined, which: 'of the cluster' },
  ])('the message says which nodes are too small: those $which', ({ among, which }) => {
    const largestNode = { cpuMillicores: 4000, memoryKib: mib(4096), ...(among ? { among } : {}) }
    const { skipped } = renderSome([aChange({ 'resources.requests.memory': '5Gi' }, aWorkload({ largestNode }))])
    expect(skipped).toMatchObject([
      {
        code: 'exceeds_largest_node',
        message: expect.stringContaining(
          `of memory; the largest node ${which} has 4Gi of memory. Add a larger`,
        ) as string,
      },
    ])
  })

  test('a reduction is written even if the nodes are already too small', () => {
    const live = aWorkload({ largestNode: { cpuMillicores: 100, memoryKib: mib(100) } })
    expect(codesOf(aChange(smaller, live))).toEqual([])
  })
})
