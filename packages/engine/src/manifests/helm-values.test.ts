import { describe, expect, test } from 'vitest'
import { aChange, aContainer, aWorkload, codesOf, renderSome, smaller } from './builders.ts'
import { selectionOf } from './file-paths.ts'
import type { DeclaredPath } from './helm-places.ts'
import type { LiveWorkload, ReleaseSibling } from './live-workload.ts'

describe('Helm', () => {
  const charted = (given: Partial<LiveWorkload> = {}) =>
    aWorkload({ labels: { 'helm.sh/chart': 'web-1.2.3', 'app.kubernetes.io/instance': 'front' }, ...given })

  test('a chart with one container is guessed to have resources at the root, and the file says so', () => {
    const { files, warnings } = renderSome([aChange(smaller, charted())], 'helm')
    expect(files).toMatchObject([
      {
        path: `plimsoll/prod/shop/front.${selectionOf(['rec_1'])}.values.yaml`,
        pathSource: 'guessed',
        content: { resources: { requests: { cpu: '250m' } } },
      },
    ])
    expect(warnings).toMatchObject([{ code: 'helm_path_guessed' }])
  })

  test('another selection gets another values file, the same selection gets the same file', () => {
    const cpu = aChange(smaller, charted())
    const memory = aChange({ 'resources.requests.memory': '512Mi' }, charted(), { id: 'rec_2' })
    const pathsOf = (...wanted: (typeof cpu)[]) => renderSome(wanted, 'helm').files.map(({ path }) => path)
    expect(new Set([pathsOf(cpu), pathsOf(memory), pathsOf(cpu, memory)].flat()).size).toBe(3)
    expect(pathsOf(memory, cpu)).toEqual(pathsOf(cpu, memory))
  })

  test('a component is guessed by its label', () => {
    const labels = { ...charted().labels, 'app.kubernetes.io/component': 'worker' }
    expect(renderSome([aChange(smaller, charted({ labels }))], 'helm').files).toMatchObject([
      { content: { worker: { resources: { requests: { cpu: '250m' } } } } },
    ])
  })

  test('an annotation declares the path, dots inside a name included', () => {
    const annotations = { 'plimsoll.dev/helm-values-path': String.raw`web.my\.app.resources` }
    expect(renderSome([aChange(smaller, charted({ annotations }))], 'helm').files).toMatchObject([
      { pathSource: 'declared', content: { web: { 'my.app': { resources: { requests: { cpu: '250m' } } } } } },
    ])
  })

  const component = (name: string) => ({ ...charted().labels, 'app.kubernetes.io/component': name })
  const sibling = (given: Partial<ReleaseSibling> = {}): ReleaseSibling => ({
    kind: 'Deployment',
    name: 'api',
    chart: 'web-1.2.3',
    component: 'api',
    ...given,
  })

  test('two workloads of one release share a file', () => {
    const [api, worker] = ['api', 'worker'].map((name) => charted({ name, labels: component(name) }))
    const { files } = renderSome([aChange(smaller, api), aChange(smaller, worker, { id: 'rec_2' })], 'helm')
    expect(files).toMatchObject([
      { content: { api: { resources: {} }, worker: { resources: {} } }, recommendationIds: ['rec_1', 'rec_2'] },
    ])
  })

  test('if two workloads guess the same path, neither gets a value', () => {
    const twins = [aChange(smaller, charted()), aChange(smaller, charted({ name: 'twin' }), { id: 'rec_2' })]
    const { files, skipped } = renderSome(twins, 'helm')
    expect(files).toEqual([])
    expect(skipped).toMatchObject([
      {
        code: 'helm_path_shared',
        message: expect.stringContaining('resources is also the values path of Deployment twin app. Store') as string,
      },
      { code: 'helm_path_shared' },
    ])
  })

  test('a declared path overrides a guess, and a verified path overrides a declared one', () => {
    const twins = [aChange(smaller, charted()), aChange(smaller, charted({ name: 'twin' }), { id: 'rec_2' })]
    const keptFor = (sources: Record<string, 'declared' | 'verified' | undefined>) => {
      const declaredPath: DeclaredPath = ({ target }) => {
        const source = sources[target.name]
        return source && { path: ['resources'], source }
      }
      return renderSome(twins, 'helm', { declaredPath }).files.flatMap(({ recommendationIds }) => recommendationIds)
    }
    expect(keptFor({ web: 'declared' })).toEqual(['rec_1'])
    expect(keptFor({ web: 'declared', twin: 'declared' })).toEqual([])
    expect(keptFor({ web: 'declared', twin: 'verified' })).toEqual(['rec_2'])
    expect(keptFor({ web: 'verified', twin: 'verified' })).toEqual([])
  })

  test('a path that is stored for another workload of the release is not used', () => {
    const storedClaims = () => [{ at: ['resources'], owner: 'Deployment api app', source: 'declared' as const }]
    const { skipped } = renderSome([aChange(smaller, charted())], 'helm', { storedClaims })
    expect(skipped).toMatchObject([{ code: 'helm_path_shared' }])
  })

  test.each([
    ['another chart in the release, as subcharts are', { chart: 'cache-1.2.3', component: 'cache' }, {}],
    ['another workload of the chart without a component', { component: null }, {}],
    ['another workload without a component', {}, {}],
    ['the same component', {}, { labels: component('api') }],
  ])('no path is guessed next to %s', (_what, of, live) => {
    const { files, skipped } = renderSome(
      [aChange(smaller, charted({ ...live, releaseSiblings: [sibling(of)] }))],
      'helm',
    )
    expect(files).toEqual([])
    expect(skipped).toMatchObject([
      {
        code: 'helm_path_unknown',
        message: expect.stringContaining('PUT /api/v1/gitops/helm-paths') as string,
        alternativeFormat: 'kustomize',
      },
    ])
  })

  test('a component is guessed next to other components of the chart, for any version', () => {
    const live = charted({ labels: component('worker'), releaseSiblings: [sibling({ chart: 'web-1.2.4' })] })
    expect(renderSome([aChange(smaller, live)], 'helm').files).toMatchObject([{ pathSource: 'guessed' }])
  })

  test('guesses no path if the other workloads of the release are unknown', () => {
    const { releaseSiblings: _unknown, ...live } = charted()
    expect(codesOf(aChange(smaller, live), 'helm')).toEqual(['helm_path_unknown'])
  })

  test('a path into a list is rejected, because a values file replaces the list', () => {
    const annotations = { 'plimsoll.dev/helm-values-path': 'jobs.0.resources' }
    const { files, skipped } = renderSome([aChange(smaller, charted({ annotations }))], 'helm')
    expect(files).toEqual([])
    expect(skipped).toMatchObject([
      { code: 'helm_path_in_list', message: expect.stringContaining('jobs.0.resources cannot be set') as string },
    ])
  })

  test.each(['constructor', '__proto__'])('a path of the key %s changes no other object', (key) => {
    const annotations = { 'plimsoll.dev/helm-values-path': `${key}.resources` }
    renderSome([aChange(smaller, charted({ annotations }))], 'helm')
    expect(Object.hasOwn(Object.prototype, 'resources') || Object.hasOwn(Object, 'resources')).toBe(false)
  })

  test('an invalid annotation is not replaced by a guess', () => {
    const annotations = { 'plimsoll.dev/helm-values-path': 'jobs[0].resources' }
    const { skipped } = renderSome([aChange(smaller, charted({ annotations }))], 'helm')
    expect(skipped).toMatchObject([
      { code: 'helm_path_unknown', message: expect.stringContaining('Correct the annotation') as string },
    ])
  })

  test('without a sign of a chart the values have the usual path, are marked, and come with their proof', () => {
    const two = [aContainer(), aContainer({ name: 'side', index: 1 })]
    const valuesOf = (live: LiveWorkload) => renderSome([aChange(smaller, live)], 'helm')
    expect(valuesOf(aWorkload()).files).toMatchObject([
      { pathSource: 'assumed', content: { resources: { requests: { cpu: '250m' } } } },
    ])
    expect(valuesOf(aWorkload({ containers: two })).files).toMatchObject([
      { pathSource: 'assumed', content: { app: { resources: { requests: { cpu: '250m' } } } } },
    ])
    const { warnings, verify, files } = valuesOf(aWorkload())
    expect(warnings).toMatchObject([{ code: 'helm_path_assumed' }])
    expect(files[0]?.comment.join(' ')).toContain('The workload has no Helm label.')
    expect(verify.find(({ tool }) => tool === 'helm')?.command).toContain('helm template "${RELEASE:?is not set}"')
  })

  test('without a path Flux gets a post-renderer, and other tools get a skip reason', () => {
    const containers = [aContainer(), aContainer({ name: 'side', index: 1 })]
    expect(codesOf(aChange(smaller, charted({ containers })), 'helm')).toEqual(['helm_path_unknown'])
    const byArgo = aWorkload({ annotations: { 'argocd.argoproj.io/tracking-id': 'front:x' } })
    expect(renderSome([aChange(smaller, byArgo)], 'helm').skipped).toMatchObject([
      {
        code: 'not_helm',
        message: expect.stringMatching(/helm\.values_path.*Otherwise use another format/) as string,
      },
    ])
    const labels = { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' }
    expect(renderSome([aChange(smaller, charted({ containers, labels }))], 'helm').files).toMatchObject([
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

describe('a release', () => {
  const made = (given: Partial<LiveWorkload>) => aWorkload({ labels: { 'helm.sh/chart': 'web-1.2.3' }, ...given })
  const toolsOf = (live: LiveWorkload) => renderSome([aChange(smaller, live)], 'helm').apply.map(({ tool }) => tool)

  test('is changed by the tool that manages it', () => {
    expect(toolsOf(made({ annotations: { 'meta.helm.sh/release-name': 'front' } }))).toEqual(['helm'])
    expect(toolsOf(made({ annotations: { 'argocd.argoproj.io/tracking-id': 'front:x' } }))).toEqual(['git', 'argocd'])
    const labels = { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' }
    expect(toolsOf(made({ labels, annotations: { 'meta.helm.sh/release-name': 'front' } }))).toEqual(['git', 'flux'])
    expect(toolsOf(made({}))).toEqual(['helm', 'git', 'argocd', 'git', 'flux'])
  })

  test('warns for a release that Helm installed, because it has no lines for Argo CD or Flux', () => {
    const codesFor = (live: LiveWorkload) =>
      renderSome([aChange(smaller, live)], 'helm')
        .warnings.map(({ code }) => code)
        .filter((code) => code !== 'helm_path_guessed')
    const installed = { 'meta.helm.sh/release-name': 'front' }
    expect(codesFor(made({ annotations: installed }))).toEqual(['installed_by_helm'])
    expect(codesFor(made({}))).toEqual([])
    expect(codesFor(made({ annotations: { ...installed, 'argocd.argoproj.io/tracking-id': 'front:x' } }))).toEqual([
      'managed_by_gitops',
    ])
    const labels = { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' }
    expect(codesFor(made({ labels, annotations: installed }))).toEqual(['managed_by_gitops'])
  })

  test('of an Application explains what to do if the chart is in another repository', () => {
    const live = made({ annotations: { 'argocd.argoproj.io/tracking-id': 'front:x' } })
    const [step] = renderSome([aChange(smaller, live)], 'helm').apply
    expect(step?.lines).toEqual({
      spec: {
        source: { helm: { valueFiles: [`/plimsoll/prod/shop/deployment-web.${selectionOf(['rec_1'])}.values.yaml`] } },
      },
    })
    expect(step?.description).toContain('spec.source.helm.valuesObject')
    expect(step?.description).toMatch(
      /several sources \(spec\.sources\), .* helm\.valueFiles of the source .* \$values\./,
    )
  })

  test('of Flux gets one list of patches for all workloads without a known path', () => {
    const labels = { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' }
    const containers = [aContainer(), aContainer({ name: 'side', index: 1 })]
    const { files, apply } = renderSome(
      [
        aChange(smaller, aWorkload({ labels, containers })),
        aChange(smaller, aWorkload({ name: 'api', labels, containers }), { id: 'rec_2' }),
      ],
      'helm',
    )
    expect(files).toMatchObject([
      {
        path: `plimsoll/prod/flux-system/helmrelease-front.${selectionOf(['rec_1', 'rec_2'])}.post-renderers.yaml`,
        target: null,
        recommendationIds: ['rec_1', 'rec_2'],
        content: { spec: { postRenderers: [{ kustomize: { patches: [{}, {}] } }] } },
      },
    ])
    expect(apply.map(({ tool }) => tool)).toEqual(['git', 'flux'])
  })
})
