import { describe, expect, test } from 'vitest'
import { aChange, aContainer, aWorkload, KIB_PER_MIB } from './builders.ts'
import type { Autoscaler, LiveWorkload } from './live-workload.ts'
import type { WantedChange } from './plan-patches.ts'
import { renderManifests } from './render-manifests.ts'
import type { ManifestFormat } from './skips.ts'

const render = (wanted: readonly WantedChange[], format: ManifestFormat = 'json-patch') =>
  renderManifests({ format, wanted, facts: [], skipped: [], declaredPath: () => undefined, chartOf: () => null })

const codesOf = (wanted: WantedChange | WantedChange[], format?: ManifestFormat) =>
  render([wanted].flat(), format).skipped.map(({ code }) => code)

const smaller = { 'resources.requests.cpu': '250m' }
const mib = (count: number) => count * KIB_PER_MIB
const sizes = (cpuMillicores: number | null, memoryMib: number | null) => ({
  cpuMillicores,
  memoryKib: memoryMib === null ? null : mib(memoryMib),
})

test('a JSON patch tests the name directly before it changes a leaf', () => {
  expect(render([aChange({ ...smaller, 'resources.limits.memory': '2Gi' })]).files).toMatchObject([
    {
      path: 'plimsoll/prod/shop/deployment-web.patch.json',
      content: [
        { op: 'test', path: '/kind', value: 'Deployment' },
        { op: 'test', path: '/metadata/name', value: 'web' },
        { op: 'test', path: '/spec/template/spec/containers/0/name', value: 'app' },
        { op: 'add', path: '/spec/template/spec/containers/0/resources/requests/cpu', value: '250m' },
        { op: 'add', path: '/spec/template/spec/containers/0/resources/limits', value: { memory: '2Gi' } },
      ],
    },
  ])
})

test('slashes in the name of a resource are escaped', () => {
  const live = aWorkload({ containers: [aContainer({ limitKeys: ['nvidia.com/gpu'], requestKeys: ['cpu'] })] })
  const [file] = render([aChange({ 'resources.limits.nvidia.com/gpu': '1' }, live)]).files
  expect(file?.content).toContainEqual({
    op: 'add',
    path: '/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu',
    value: '1',
  })
})

test('several recommendations of one workload become one file', () => {
  const other = aChange({ 'resources.requests.memory': '512Mi' }, aWorkload(), { id: 'rec_2' })
  const { files } = render([other, aChange(smaller)], 'strategic-merge')
  expect(files).toMatchObject([
    {
      recommendationIds: ['rec_1', 'rec_2'],
      content: {
        spec: {
          template: {
            spec: { containers: [{ name: 'app', resources: { requests: { cpu: '250m', memory: '512Mi' } } }] },
          },
        },
      },
    },
  ])
})

test('two that contradict each other are not both taken', () => {
  const other = aChange({ 'resources.requests.cpu': '300m' }, aWorkload(), { id: 'rec_2' })
  const { files, skipped } = render([aChange(smaller), other])
  expect(files).toMatchObject([{ recommendationIds: ['rec_1'] }])
  expect(skipped).toMatchObject([{ recommendationId: 'rec_2', code: 'conflicting_changes' }])
})

test('what only says how large a container should be is a change of its requests', () => {
  const wanted = aChange({}, aWorkload(), { current: sizes(1000, 1024), recommended: sizes(500, 1024) })
  const change = { ...wanted.change, object: { ...wanted.change.object, container: 'app' } }
  const [file] = render([{ ...wanted, change }], 'yaml').files
  expect(file?.content).toMatchObject({
    spec: { template: { spec: { containers: [{ name: 'app', resources: { requests: { cpu: '500m' } } }] } } },
  })
})

describe('limits', () => {
  const limited = (requests = sizes(500, 512), limits = sizes(1000, 1024)) =>
    aWorkload({ containers: [aContainer({ requests, limits })] })
  const limitsOf = (wanted: WantedChange) => {
    const [file] = render([wanted], 'strategic-merge').files
    const { spec } = file?.content as {
      spec: { template: { spec: { containers: { resources: { limits?: unknown } }[] } } }
    }
    return spec.template.spec.containers[0]?.resources.limits
  }

  test('stay as they are set while the request fits', () => {
    expect(limitsOf(aChange({ 'resources.requests.cpu': '750m' }, limited()))).toBeUndefined()
  })

  test('keep their ratio when the request passes them', () => {
    expect(limitsOf(aChange({ 'resources.requests.cpu': '1500m' }, limited()))).toEqual({ cpu: '3' })
  })

  test('follow where somebody wrote requests that equal them', () => {
    const live = limited(sizes(1000, 1024), sizes(1000, 1024))
    expect(limitsOf(aChange(smaller, live))).toEqual({ cpu: '250m' })
    expect(render([aChange(smaller, live)]).warnings.map(({ code }) => code)).toContain('limits_follow')
  })

  test('that the namespace gives by default cannot be passed', () => {
    const container = aContainer({ requests: sizes(500, 512), limits: sizes(1000, 1024), limitKeys: [] })
    expect(codesOf(aChange({ 'resources.requests.cpu': '2' }, aWorkload({ containers: [container] })))).toEqual([
      'limit_range',
    ])
  })

  test('are never set below a request that comes with them', () => {
    const live = aWorkload({ containers: [aContainer({ requests: sizes(null, null) })] })
    const fields = { 'resources.limits.cpu': '1', 'resources.requests.cpu': '2' }
    expect(codesOf(aChange(fields, live))).toEqual(['limit_below_request'])
  })

  test('may go below the present request together with it', () => {
    const fields = { 'resources.limits.cpu': '200m', 'resources.requests.cpu': '100m' }
    expect(codesOf(aChange(fields, limited()))).toEqual([])
  })

  test('are never set below the request', () => {
    expect(codesOf(aChange({ 'resources.limits.memory': '256Mi' }))).toEqual(['limit_below_request'])
  })

  test('without a request are said to become the request', () => {
    const live = aWorkload({ containers: [aContainer({ requests: sizes(100, null) })] })
    const { warnings } = render([aChange({ 'resources.limits.memory': '1Gi' }, live)])
    expect(warnings).toMatchObject([{ code: 'request_follows_limit' }])
  })
})

describe('what a cluster would refuse is not written:', () => {
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
      'beyond the pod as a whole',
      'exceeds_pod_level',
      { 'resources.requests.cpu': '3' },
      { podRequests: sizes(2000, null) },
    ],
    [
      'a limit beyond that of the pod',
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
      'a pod that would change its class',
      'pod_resize_refused',
      { 'resources.limits.cpu': '1', 'resources.limits.memory': '1Gi' },
      { kind: 'Pod', apiVersion: 'v1' },
    ],
  ]

  test.each(refusals)('%s', (_what, code, fields, live) => {
    const { files, skipped } = render([aChange(fields, aWorkload(live))])
    expect(files).toEqual([])
    expect(skipped.map((each) => each.code)).toEqual([code])
  })

  test('a workload that is gone, and one that nobody has looked at', () => {
    expect(codesOf(aChange(smaller, 'gone'))).toEqual(['workload_gone'])
    expect(codesOf(aChange(smaller, 'not_seen'))).toEqual(['workload_not_seen'])
  })

  test('what lowers is written even on nodes that are too small already', () => {
    const live = aWorkload({ largestNode: { cpuMillicores: 100, memoryKib: mib(100) } })
    expect(codesOf(aChange(smaller, live))).toEqual([])
  })
})

describe('an autoscaler on CPU utilisation', () => {
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

  test('gets the target that keeps the use at which it acts', () => {
    // 80 % of 1000m are 800m; so are 160 % of 500m.
    const { files } = render([aChange({ 'resources.requests.cpu': '500m' }, scaled())], 'strategic-merge')
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

  test('acts rather a little early than too late', () => {
    const content = render([aChange({ 'resources.requests.cpu': '700m' }, scaled())]).files.at(-1)?.content
    expect(content).toContainEqual(expect.objectContaining({ value: 114 }))
  })

  test('counts all containers of the pod', () => {
    const containers = [aContainer(), aContainer({ name: 'side', index: 1 })]
    // 80 % of 2000m are 1600m; of 1500m, 106.7 %.
    const { files } = render([aChange({ 'resources.requests.cpu': '500m' }, scaled({}, { containers }))])
    expect(files.at(-1)?.content).toContainEqual(expect.objectContaining({ value: 106 }))
  })

  test('of one container counts only that one', () => {
    const containers = [aContainer(), aContainer({ name: 'side', index: 1 })]
    const live = scaled({ container: 'app' }, { containers })
    const { files } = render([aChange({ 'resources.requests.cpu': '500m' }, live)])
    expect(files.at(-1)?.content).toMatchObject([
      {},
      {},
      { path: '/spec/metrics/1/containerResource/name' },
      { path: '/spec/metrics/1/containerResource/container', value: 'app' },
      { path: '/spec/metrics/1/containerResource/target/averageUtilization', value: 160 },
    ])
  })

  test.each([
    ['its metric’s place is not known', scaled({ cpuMetricIndex: null })],
    ['KEDA runs it', scaled({ scaler: 'keda' })],
    [
      'its limits follow, and keep pods from ever using so much',
      scaled({}, { containers: [aContainer({ limits: sizes(1000, 1024) })] }),
    ],
  ])('is not left behind: nothing is written when %s', (_why, live) => {
    expect(codesOf(aChange(smaller, live))).toEqual(['hpa_cpu_utilization'])
  })

  test.each(['yaml', 'helm'] as const)('cannot be said in %s, so the change is not either', (format) => {
    expect(render([aChange(smaller, scaled())], format).skipped).toMatchObject([
      { code: 'hpa_cpu_utilization', alternativeFormat: 'kustomize' },
    ])
  })

  test('is left alone by a change of memory', () => {
    expect(render([aChange({ 'resources.requests.memory': '512Mi' }, scaled())]).files).toHaveLength(1)
  })

  test('that nobody looked for is warned of', () => {
    const { warnings } = render([aChange(smaller, aWorkload({ autoscaler: 'unknown' }))])
    expect(warnings).toMatchObject([{ code: 'autoscaler_not_known', recommendationIds: ['rec_1'] }])
  })

  test('sets the replicas, so nothing else does', () => {
    expect(codesOf(aChange({ 'spec.replicas': '2' }, scaled()))).toEqual(['hpa_owns_replicas'])
  })
})

describe('what is no container', () => {
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
    ['looking into it', about('Deployment', {}, 'investigate'), 'needs_investigation'],
    ['a label whose value nobody knows', about('Namespace', { 'metadata.labels.team': null }), 'value_missing'],
    [
      'a shrinking claim',
      about('PersistentVolumeClaim', { 'spec.resources.requests.storage': '1Gi' }),
      'immutable_field',
    ],
    ['another storage class', about('PersistentVolumeClaim', { 'spec.storageClassName': 'gp3' }), 'immutable_field'],
    ['any other field', about('Service', { 'spec.clusterIP': 'None' }), 'not_expressible'],
    ['a word for a number', about('Deployment', { 'spec.replicas': 'two' }), 'invalid_quantity'],
    ['a schedule with a command in it', about('CronJob', { 'spec.schedule': '* * * * *\n; rm' }), 'invalid_quantity'],
    ['a label that is none', about('Namespace', { 'metadata.labels.team': 'a b' }), 'invalid_name'],
  ])('%s is skipped with advice', (_what, wanted, code) => {
    expect(codesOf(wanted)).toEqual([code])
    expect(render([wanted]).skipped[0]?.message.length).toBeGreaterThan(20)
  })

  test('a label with a value is merged, and not patched where its parent may be missing', () => {
    const wanted = about('Namespace', { 'metadata.labels.team': 'red' })
    expect(render([wanted], 'strategic-merge').files).toMatchObject([
      { content: { metadata: { name: 'thing', labels: { team: 'red' } } } },
    ])
    expect(render([wanted]).skipped).toMatchObject([{ code: 'not_expressible', alternativeFormat: 'strategic-merge' }])
  })
})

describe('what is about a workload and not in it:', () => {
  const about = (kind: string, name: string, container: string, path: string, to: string) =>
    aChange({}, aWorkload(), {
      change: {
        action: 'reconfigure',
        summary: 'Do it there.',
        object: { kind, namespace: kind === 'Sidecar' ? '' : 'shop', name, container },
        fields: [{ path, from: '10', to }],
      },
    })

  test.each([
    ['HorizontalPodAutoscaler', 'spec.minReplicas', '/spec/minReplicas'],
    ['ScaledObject', 'spec.minReplicaCount', '/spec/minReplicaCount'],
  ])('the minimum of a %s is set on the autoscaler', (kind, path, pointer) => {
    const [file] = render([about(kind, 'web-scaler', '', path, '4')]).files
    expect(file?.content).toContainEqual({ op: 'test', path: '/kind', value: kind })
    expect(file?.content).toContainEqual({ op: 'add', path: pointer, value: 4 })
  })

  test('a sidecar is changed where it is injected, and waiting does not help', () => {
    const sidecar = {
      ...about('Sidecar', 'proxy', 'proxy', 'resources.requests.cpu', '50m'),
      live: 'not_seen' as const,
    }
    expect(render([sidecar]).skipped).toMatchObject([
      { code: 'container_not_in_template', message: expect.stringContaining('Do it there.') as string },
    ])
  })
})

describe('hostile names', () => {
  const evil = [
    '../../etc',
    'a b',
    "it's",
    'two\nlines',
    '$(rm -rf ~)',
    '`id`',
    '"; true',
    '-n',
    'ünï',
    'A',
    '',
    '.',
    '..',
    'a/b',
    'x'.repeat(254),
  ]

  test.each(evil)('%j as the name of a workload, a namespace or a container writes nothing', (name) => {
    expect(codesOf(aChange(smaller, aWorkload({ name })))).toEqual(['invalid_name'])
    if (name !== '') expect(codesOf(aChange(smaller, aWorkload({ namespace: name })))).toEqual(['invalid_name'])
    const containers = [aContainer(), aContainer({ name, index: 1 })]
    const isNameless = name === ''
    expect(codesOf(aChange(smaller, aWorkload({ containers })))).toEqual(isNameless ? [] : ['invalid_name'])
    expect(codesOf(aChange(smaller, aWorkload({ kind: name || '-' })))).toEqual(
      name === 'A' ? ['kind_not_supported'] : ['invalid_name'],
    )
  })

  test.each(evil.filter((name) => name !== ''))(
    '%j as the name of a cluster or a release stays one word and one directory',
    (name) => {
      const live = aWorkload({
        annotations: { 'meta.helm.sh/release-name': name, 'argocd.argoproj.io/tracking-id': `${name}:x` },
      })
      for (const format of ['json-patch', 'kustomize', 'helm'] as const) {
        const { files, apply } = render([aChange(smaller, live, { clusterName: name })], format)
        expect(files.length).toBeGreaterThan(0)
        for (const { path } of files) expect(path).toMatch(/^plimsoll(\/[a-z0-9][a-z0-9.-]*)+$/)
        for (const { path } of files) expect(path).not.toContain('..')
        for (const { command } of apply.filter(({ tool }) => tool !== 'kubectl-local'))
          expect(unquoted(command)).not.toMatch(/[`$();\n]/)
      }
    },
  )

  test('different clusters never share a directory', () => {
    const names = ['Prod', 'prod', 'PROD', 'prod!', 'prod?']
    const wanted = names.map((clusterName, index) =>
      aChange(smaller, aWorkload(), { clusterName, clusterId: `cls_${index}`, id: `rec_${index}` }),
    )
    const { files, apply } = render(wanted)
    expect(new Set(files.map(({ path }) => path.toLowerCase())).size).toBe(names.length)
    expect(apply.filter(({ tool }) => tool === 'kubectl').every(({ command }) => command.includes(' --context='))).toBe(
      true,
    )
  })
})

/** What a shell would see outside of quotes; our own variables are left out. */
const unquoted = (command: string) =>
  command
    .replaceAll(/'[^']*'|\\'/g, '')
    .replaceAll(/"\$(?:FILE|CHART|RELEASE|APPLICATION|KUSTOMIZATION)(?:\.new)?"/g, '')

describe('Helm', () => {
  const charted = (given: Partial<LiveWorkload> = {}) =>
    aWorkload({ labels: { 'helm.sh/chart': 'web-1.2.3', 'app.kubernetes.io/instance': 'front' }, ...given })

  test('a chart with one container is guessed to have a root resources, and says so', () => {
    const { files, warnings } = render([aChange(smaller, charted())], 'helm')
    expect(files).toMatchObject([
      {
        path: 'plimsoll/prod/shop/front.values.yaml',
        pathSource: 'guessed',
        content: { resources: { requests: { cpu: '250m' } } },
      },
    ])
    expect(warnings).toMatchObject([{ code: 'helm_path_guessed' }])
  })

  test('a component is guessed by its label', () => {
    const labels = { ...charted().labels, 'app.kubernetes.io/component': 'worker' }
    expect(render([aChange(smaller, charted({ labels }))], 'helm').files).toMatchObject([
      { content: { worker: { resources: { requests: { cpu: '250m' } } } } },
    ])
  })

  test('an annotation declares the path, dots inside a name included', () => {
    const annotations = { 'plimsoll.dev/helm-values-path': String.raw`web.my\.app.resources` }
    expect(render([aChange(smaller, charted({ annotations }))], 'helm').files).toMatchObject([
      { pathSource: 'declared', content: { web: { 'my.app': { resources: { requests: { cpu: '250m' } } } } } },
    ])
  })

  test('two workloads of one release share a file, and never a place', () => {
    const one = charted({ name: 'api', labels: { ...charted().labels, 'app.kubernetes.io/component': 'api' } })
    const { files } = render([aChange(smaller, one), aChange(smaller, charted(), { id: 'rec_2' })], 'helm')
    expect(files).toMatchObject([
      { content: { api: { resources: {} }, resources: {} }, recommendationIds: ['rec_1', 'rec_2'] },
    ])
    const twin = charted({ name: 'twin' })
    expect(codesOf([aChange(smaller, charted()), aChange(smaller, twin, { id: 'rec_2' })], 'helm')).toEqual([
      'helm_path_shared',
    ])
  })

  test('without a path no path is invented: Flux gets a post-renderer, others advice', () => {
    const containers = [aContainer(), aContainer({ name: 'side', index: 1 })]
    expect(codesOf(aChange(smaller, charted({ containers })), 'helm')).toEqual(['helm_path_unknown'])
    expect(codesOf(aChange(smaller), 'helm')).toEqual(['not_helm'])
    const labels = { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' }
    expect(render([aChange(smaller, charted({ containers, labels }))], 'helm').files).toMatchObject([
      {
        pathSource: 'none',
        content: {
          kind: 'HelmRelease',
          metadata: { name: 'front', namespace: 'flux-system' },
          spec: {
            postRenderers: [
              { kustomize: { patches: [{ target: { group: 'apps', kind: 'Deployment', name: 'web' } }] } },
            ],
          },
        },
      },
    ])
  })
})

test('whoever keeps the workload in line with Git is named', () => {
  const live = aWorkload({ annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/web' } })
  expect(render([aChange(smaller, live)]).warnings).toMatchObject([{ code: 'managed_by_gitops' }])
  const { apply } = render([aChange(smaller, live)], 'kustomize')
  expect(apply).toContainEqual({
    tool: 'argocd',
    clusterId: 'cls_1',
    description: expect.stringContaining('Application shop') as string,
    command: 'argocd app diff shop',
    lines: { spec: { source: { kustomize: { components: ['plimsoll/prod/shop/component'] } } } },
  })
})

test('one name in two namespaces is warned of, because targets do not name the namespace', () => {
  const other = aChange(smaller, aWorkload({ namespace: 'staging' }), { id: 'rec_2' })
  expect(render([aChange(smaller), other], 'kustomize').warnings).toMatchObject([{ code: 'same_name_in_namespaces' }])
})

test('a set of fields has its own field manager: what one manifest set is not removed by the next', () => {
  const command = (fields: Record<string, string>) => render([aChange(fields)], 'yaml').apply.at(-1)?.command
  const cpu = command(smaller)
  expect(cpu).toMatch(/^kubectl apply --server-side --field-manager=plimsoll-[0-9a-f]{8} --force-conflicts -f \S+$/)
  expect(command({ 'resources.requests.cpu': '100m' })).toBe(cpu)
  expect(command({ 'resources.requests.memory': '1Gi' })).not.toBe(cpu)
})

test('the pull request says what is saved, and no name can break its table', () => {
  const facts = {
    id: 'rec_1',
    title: 'Ask | for <b>less</b>\nnow',
    ruleId: 'r',
    from: '1',
    to: '250m',
    usdPerMonth: 12.345,
    risk: 'low',
    confidence: 'high',
    evidence: '7 days',
  }
  const { pullRequest } = renderManifests({
    format: 'yaml',
    wanted: [aChange(smaller)],
    facts: [facts],
    skipped: [],
    declaredPath: () => undefined,
    chartOf: () => null,
  })
  expect(pullRequest.title).toBe('Right-size web (about $12.35 a month)')
  expect(pullRequest.branch).toMatch(/^plimsoll\/yaml-[0-9a-f]{8}$/)
  const row = pullRequest.body.split('\n').find((line) => line.includes('less'))
  expect(row).toBe(
    String.raw`| Ask \| for \<b\>less\</b\> now | prod / shop / Deployment web | 1 | 250m | $12.35 | low | high | 7 days |`,
  )
})
