import { describe, expect, test } from 'vitest'
import { aChange, aContainer, aWorkload, codesOf, renderSome, smaller } from './builders.ts'
import { selectionOf } from './file-paths.ts'
import type { LiveWorkload } from './live-workload.ts'

describe('Helm', () => {
  const charted = (given: Partial<LiveWorkload> = {}) =>
    aWorkload({ labels: { 'helm.sh/chart': 'web-1.2.3', 'app.kubernetes.io/instance': 'front' }, ...given })

  test('a chart with one container is guessed to have a root resources, and says so', () => {
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

  test('the values of another selection lie beside, and those of the same one are the same', () => {
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

  test('two workloads of one release share a file, and never a place', () => {
    const one = charted({ name: 'api', labels: { ...charted().labels, 'app.kubernetes.io/component': 'api' } })
    const { files } = renderSome([aChange(smaller, one), aChange(smaller, charted(), { id: 'rec_2' })], 'helm')
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
    expect(renderSome([aChange(smaller)], 'helm').skipped).toMatchObject([
      {
        code: 'not_helm',
        message: expect.stringMatching(/helm\.values_path.*use the format of your manifests/) as string,
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

  test('is changed by the tool that rolls it out', () => {
    expect(toolsOf(made({ annotations: { 'meta.helm.sh/release-name': 'front' } }))).toEqual(['helm'])
    expect(toolsOf(made({ annotations: { 'argocd.argoproj.io/tracking-id': 'front:x' } }))).toEqual(['argocd'])
    const labels = { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' }
    expect(toolsOf(made({ labels, annotations: { 'meta.helm.sh/release-name': 'front' } }))).toEqual(['flux'])
    expect(toolsOf(made({}))).toEqual(['helm', 'argocd', 'flux'])
  })

  test('that Helm itself has installed says why there are no lines for Argo CD or Flux, and only that one', () => {
    const codesFor = (live: LiveWorkload) =>
      renderSome([aChange(smaller, live)], 'helm')
        .warnings.map(({ code }) => code)
        .filter((code) => code !== 'helm_path_guessed')
    const installed = { 'meta.helm.sh/release-name': 'front' }
    expect(codesFor(made({ annotations: installed }))).toEqual(['installed_by_helm'])
    expect(codesFor(made({}))).toEqual([])
    expect(codesFor(made({ annotations: { ...installed, 'argocd.argoproj.io/tracking-id': 'front:x' } }))).toEqual([])
    const labels = { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' }
    expect(codesFor(made({ labels, annotations: installed }))).toEqual([])
  })

  test('of an Application is told what to do where the chart lies elsewhere', () => {
    const live = made({ annotations: { 'argocd.argoproj.io/tracking-id': 'front:x' } })
    const [step] = renderSome([aChange(smaller, live)], 'helm').apply
    expect(step?.lines).toEqual({
      spec: {
        source: { helm: { valueFiles: [`/plimsoll/prod/shop/deployment-web.${selectionOf(['rec_1'])}.values.yaml`] } },
      },
    })
    expect(step?.description).toContain('spec.source.helm.valuesObject')
    expect(step?.description).toMatch(/several sources \(spec\.sources, .* helm\.valueFiles of the one .* \$values\./)
  })

  test('of Flux gets one list of patches for all workloads whose place is not known', () => {
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
    expect(apply).toHaveLength(1)
  })
})
