import { expect, test } from 'vitest'
import { aChange, aContainer, aWorkload, renderSome, sizes, smaller } from './builders.ts'
import type { LiveWorkload } from './live-workload.ts'

test('a JSON patch tests the name directly before it changes a leaf', () => {
  expect(renderSome([aChange({ ...smaller, 'resources.limits.memory': '2Gi' })]).files).toMatchObject([
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

test('slashes in a resource name are escaped', () => {
  const live = aWorkload({ containers: [aContainer({ limitKeys: ['nvidia.com/gpu'], requestKeys: ['cpu'] })] })
  const [file] = renderSome([aChange({ 'resources.limits.nvidia.com/gpu': '1' }, live)]).files
  expect(file?.content).toContainEqual({
    op: 'add',
    path: '/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu',
    value: '1',
  })
})

test('several recommendations of one workload become one file', () => {
  const other = aChange({ 'resources.requests.memory': '512Mi' }, aWorkload(), { id: 'rec_2' })
  const { files } = renderSome([other, aChange(smaller)], 'strategic-merge')
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

test('of two contradicting recommendations only one is taken', () => {
  const other = aChange({ 'resources.requests.cpu': '300m' }, aWorkload(), { id: 'rec_2' })
  const { files, skipped } = renderSome([aChange(smaller), other])
  expect(files).toMatchObject([{ recommendationIds: ['rec_1'] }])
  expect(skipped).toMatchObject([{ recommendationId: 'rec_2', code: 'conflicting_changes' }])
})

test('a recommendation of a container size becomes a change of its requests', () => {
  const wanted = aChange({}, aWorkload(), { current: sizes(1000, 1024), recommended: sizes(500, 1024) })
  const change = { ...wanted.change, object: { ...wanted.change.object, container: 'app' } }
  const [file] = renderSome([{ ...wanted, change }], 'yaml').files
  expect(file?.content).toMatchObject({
    spec: { template: { spec: { containers: [{ name: 'app', resources: { requests: { cpu: '500m' } } }] } } },
  })
})

test('each set of fields has its own field manager, so that a later manifest does not remove them', () => {
  const command = (fields: Record<string, string>) => renderSome([aChange(fields)], 'yaml').apply.at(-1)?.command
  const cpu = command(smaller)
  expect(cpu).toMatch(
    / else kubectl apply --server-side --field-manager=plimsoll-[0-9a-f]{8} --force-conflicts -f \S+; fi$/,
  )
  expect(command({ 'resources.requests.cpu': '100m' })).toBe(cpu)
  expect(command({ 'resources.requests.memory': '1Gi' })).not.toBe(cpu)
})

test('a partial manifest comes with commands that apply it', () => {
  const [file] = renderSome([aChange(smaller)], 'yaml').files
  const path = 'plimsoll/prod/shop/deployment-web.yaml'
  expect(file?.path).toBe(path)
  expect(file?.comment[1]).toMatch(
    /^kubectl apply --server-side --field-manager=plimsoll-\w+ --force-conflicts -f \S+$/,
  )
  expect(file?.comment[1]).toContain(` -f ${path}`)
  expect(file?.comment[3]).toBe(`kubectl patch deployment.v1.apps web -n shop --type=strategic --patch-file ${path}`)
})

test.each([
  { kind: 'StatefulSet', replicas: 1, expected: 'has a single pod and is unavailable during the restart.' },
  { kind: 'StatefulSet', replicas: 3, expected: 'Pods restart one by one' },
  { kind: 'Deployment', replicas: 1, expected: 'unless its strategy starts the new pod first.' },
])('warns that applying the change replaces the $replicas pods of a $kind', ({ kind, replicas, expected }) => {
  const { warnings } = renderSome([aChange(smaller, aWorkload({ kind, replicas }))])
  expect(warnings).toMatchObject([{ code: 'pods_replaced', message: expect.stringContaining(expected) as string }])
})

test('names the tool that manages the workload', () => {
  const live = aWorkload({ annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/web' } })
  expect(renderSome([aChange(smaller, live)]).warnings).toMatchObject([{ code: 'managed_by_gitops' }])
  const { apply } = renderSome([aChange(smaller, live)], 'kustomize')
  expect(apply).toContainEqual({
    tool: 'argocd',
    clusterId: 'cls_1',
    description: expect.stringContaining('Application shop') as string,
    command: 'argocd app sync shop',
    lines: {
      spec: { source: { kustomize: { components: [expect.stringMatching(/^plimsoll\/prod\/shop\/component-/)] } } },
    },
  })
})

test.each(['strategic-merge', 'kustomize'] as const)(
  '%s: explains containers that are listed only for their order',
  (format) => {
    const containers = [
      aContainer({ name: 'setup', list: 'initContainers' }),
      aContainer(),
      aContainer({ name: 'proxy', index: 1 }),
      aContainer({ name: 'logs', index: 2 }),
    ]
    const commentsOf = (live: LiveWorkload) =>
      renderSome([aChange(smaller, live)], format).files.find(({ target }) => target)?.comment
    expect(commentsOf(aWorkload({ containers }))).toEqual([
      'Unchanged, listed only to keep the order of the containers: proxy, logs.',
    ])
    expect(commentsOf(aWorkload())).toEqual([])
  },
)

test.each(['json-patch', 'strategic-merge', 'yaml'] as const)('%s: each object has its own file', (format) => {
  const variablesOf = (...names: string[]) => {
    const { apply, verify } = renderSome(
      names.map((path, index) => {
        const [namespace = '', name = ''] = path.split('/')
        return aChange(smaller, aWorkload({ namespace, name }), { id: `rec_${index}` })
      }),
      format,
    )
    const steps = [...apply, ...verify].filter(({ tool }) => tool === 'kubectl-local')
    return [
      ...new Set(
        steps.map(({ command, description }) => {
          const [, variable = ''] = /\$\{(\w+):\?is not set\}/.exec(command) ?? []
          expect(description).toContain(` ${variable} `)
          return variable
        }),
      ),
    ]
  }
  expect(variablesOf('shop/web')).toEqual(['FILE'])
  expect(variablesOf('shop/search-api', 'shop/web')).toEqual(['FILE_FOR_SEARCH_API', 'FILE_FOR_WEB'])
  expect(variablesOf('blog/web', 'shop/web')).toEqual(['FILE_FOR_BLOG_WEB', 'FILE_FOR_SHOP_WEB'])
})
