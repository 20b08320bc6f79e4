import { describe, expect, test } from 'vitest'
import { aChange, aWorkload, renderSome, smaller } from './builders.ts'
import { selectionOf } from './file-paths.ts'
import type { WantedChange } from './plan-patches.ts'

describe('a kustomization', () => {
  const kept = (namespace: string, application: string, name = namespace) =>
    aWorkload({
      namespace,
      name,
      annotations: { 'argocd.argoproj.io/tracking-id': `${application}:apps/Deployment:${namespace}/${name}` },
    })
  const component = (namespace: string, ...ids: string[]) => `plimsoll/prod/${namespace}/component-${selectionOf(ids)}`
  const linesOf = (wanted: readonly WantedChange[], tool: string) =>
    renderSome(wanted, 'kustomize')
      .apply.filter((step) => step.tool === tool)
      .map(({ lines }) => lines)

  test('has no overlay without a base directory: everything in it builds without one', () => {
    const paths = renderSome([aChange(smaller)], 'kustomize').files.map(({ path }) => path)
    expect(paths).toEqual([
      `${component('shop', 'rec_1')}/kustomization.yaml`,
      `${component('shop', 'rec_1')}/transformers.yaml`,
      `${component('shop', 'rec_1')}/deployment-web.patch.yaml`,
    ])
  })

  test('is separate for each selection, and equal for the same selection', () => {
    const web = aChange(smaller)
    const api = aChange(smaller, aWorkload({ name: 'api' }), { id: 'rec_2' })
    const filesOf = (...wanted: WantedChange[]) => renderSome(wanted, 'kustomize').files
    const paths = [filesOf(web), filesOf(api), filesOf(web, api)].flat().map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(filesOf(api, web)).toEqual(filesOf(web, api))
    expect(filesOf(web)[0]?.comment.join(' ')).toContain('Keep earlier components. Remove this component once')
  })

  test('has one overlay over the named directory for all namespaces, so that none reverts another', () => {
    const wanted = [aChange(smaller), aChange(smaller, aWorkload({ namespace: 'blog', name: 'wiki' }), { id: 'rec_2' })]
    const { files, apply, verify, warnings } = renderSome(wanted, 'kustomize', { kustomizeBase: 'deploy/prod' })
    const overlays = files.filter(({ path }) => path.includes('/overlay/'))
    expect(overlays).toMatchObject([
      {
        path: 'plimsoll/prod/overlay/kustomization.yaml',
        content: {
          resources: ['../../../deploy/prod'],
          components: [`../blog/component-${selectionOf(['rec_2'])}`, `../shop/component-${selectionOf(['rec_1'])}`],
        },
      },
    ])
    expect(warnings).toMatchObject([{ code: 'overlay_replaced', recommendationIds: ['rec_1', 'rec_2'] }])
    expect(apply.map(({ command }) => command)).toContain('kubectl apply -k plimsoll/prod/overlay')
    expect(apply.some(({ tool }) => tool === 'kustomize')).toBe(false)
    expect(verify[0]?.command).toContain('$(kubectl kustomize plimsoll/prod/overlay)')
  })

  test('gives each Application and each Kustomization of Flux one list of components', () => {
    const flux = aWorkload({
      namespace: 'blog',
      labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
    })
    const wanted = [
      aChange(smaller, kept('shop', 'one')),
      aChange(smaller, kept('cart', 'one'), { id: 'rec_2' }),
      aChange(smaller, kept('desk', 'two'), { id: 'rec_3' }),
      aChange(smaller, flux, { id: 'rec_4' }),
    ]
    expect(linesOf(wanted, 'argocd')).toEqual([
      {
        spec: {
          source: { kustomize: { components: [component('cart', 'rec_2'), component('shop', 'rec_1')] } },
        },
      },
      { spec: { source: { kustomize: { components: [component('desk', 'rec_3')] } } } },
    ])
    expect(linesOf(wanted, 'flux')).toEqual([{ spec: { components: [component('blog', 'rec_4')] } }])
  })

  test('lets one Application build an overlay, never two', () => {
    const toolsOf = (other: string) =>
      renderSome(
        [aChange(smaller, kept('shop', 'one')), aChange(smaller, kept('cart', other), { id: 'rec_2' })],
        'kustomize',
        { kustomizeBase: 'deploy' },
      ).apply.map(({ tool }) => tool)
    expect(toolsOf('one')).toEqual(['git', 'argocd'])
    expect(toolsOf('two')).toEqual(['kustomize', 'git', 'kustomize', 'git', 'argocd', 'argocd'])
  })

  describe('for the same name in two namespaces', () => {
    const namesakes = (other: string) => [
      aChange(smaller, kept('shop', 'one', 'web')),
      aChange(smaller, kept('cart', other, 'web'), { id: 'rec_2' }),
    ]
    const namespaceIn = (target: object) => ('namespace' in target ? target.namespace : null)
    const targetsOf = (wanted: ReturnType<typeof namesakes>) =>
      renderSome(wanted, 'kustomize').files.flatMap(({ content }) =>
        ['patches' in content ? content.patches : [], 'items' in content ? content.items : []]
          .flatMap((entries) => entries as { target: object; path?: string }[])
          .flatMap(({ target, path }) => (path === undefined ? [] : [target])),
      )

    test('and one Application is in one list, names its namespace, and is in one kustomization', () => {
      const wanted = namesakes('one')
      const components = [component('cart', 'rec_2'), component('shop', 'rec_1')]
      expect(linesOf(wanted, 'argocd')).toEqual([{ spec: { source: { kustomize: { components } } } }])
      expect(targetsOf(wanted)).toMatchObject(['cart', 'cart', 'shop', 'shop'].map((namespace) => ({ namespace })))
      const { apply, verify, warnings } = renderSome(wanted, 'kustomize')
      for (const { command } of [...apply, ...verify]) expect(command).not.toContain('DIR')
      expect(warnings.at(-1)).toMatchObject({
        code: 'same_name_in_namespaces',
        message: expect.stringContaining('the Application one builds all of them') as string,
      })
    })

    test('and one Application also names the namespace of a paired autoscaler', () => {
      const autoscaler = {
        scaler: 'hpa' as const,
        name: 'web',
        replicasMin: 1,
        replicasMax: 5,
        cpuTargetPercent: 50,
        cpuMetricIndex: 0,
        container: null,
      }
      const scaled = namesakes('one').map((each) => ({
        ...each,
        live: typeof each.live === 'object' ? { ...each.live, autoscaler } : each.live,
      }))
      const targets = targetsOf(scaled).map((target) => Object.values(target).join(' '))
      expect(targets.filter((words) => words.includes('HorizontalPodAutoscaler'))).toHaveLength(4)
      expect(targets.every((words) => / (shop|cart)$/.test(words))).toBe(true)
      expect(linesOf(scaled, 'argocd')).toHaveLength(1)
    })

    test('and two Applications is in two lists, and omits the namespace', () => {
      expect(linesOf(namesakes('two'), 'argocd')).toHaveLength(2)
      expect(targetsOf(namesakes('two')).some((target) => 'namespace' in target)).toBe(false)
    })

    test('and one Application also selects objects without a namespace if two Applications share another name', () => {
      const torn = [
        ...namesakes('one'),
        aChange(smaller, kept('shop', 'one', 'api'), { id: 'rec_3' }),
        aChange(smaller, kept('cart', 'two', 'api'), { id: 'rec_4' }),
      ]
      const spacesOf = (name: string) =>
        targetsOf(torn).flatMap((target) => ('name' in target && target.name === name ? [namespaceIn(target)] : []))
      expect(spacesOf('web')).toEqual(['(default|cart)', '(default|cart)', '(default|shop)', '(default|shop)'])
      expect(new Set(spacesOf('api'))).toEqual(new Set([null]))
    })

    test.each(['one', 'two'])('is in no overlay (the other Application is %s)', (other) => {
      const { files, warnings } = renderSome(namesakes(other), 'kustomize', { kustomizeBase: 'base' })
      expect(files.some(({ path }) => path.includes('overlay'))).toBe(false)
      expect(warnings.at(-1)).toMatchObject({ code: 'same_name_in_namespaces' })
    })
  })

  test('says which of several sources of an Application gets the lines', () => {
    const wanted = [aChange(smaller, kept('shop', 'one'))]
    const descriptionOf = (kustomizeBase: string | null) =>
      renderSome(wanted, 'kustomize', { kustomizeBase }).apply.find(({ lines }) => lines !== null)?.description
    expect(descriptionOf(null)).toContain(
      'several sources (spec.sources), add each component under kustomize.components of the source',
    )
    expect(descriptionOf('deploy')).toContain('(spec.sources), set the path of the source')
  })

  test('is separate for each duplicate name, and so is its manager', () => {
    const wanted = [
      aChange(smaller),
      aChange(smaller, aWorkload({ namespace: 'cart' }), { id: 'rec_2' }),
      aChange(smaller, aWorkload({ namespace: 'desk', name: 'other' }), { id: 'rec_3' }),
    ]
    const { apply, verify } = renderSome(wanted, 'kustomize')
    const variables = [...apply, ...verify].map(({ command }) => /\{(\w+):/.exec(command)?.[1] ?? '')
    for (const name of ['DIR', 'APPLICATION', 'KUSTOMIZATION'])
      expect([...new Set(variables)].filter((variable) => variable.startsWith(name))).toEqual([
        `${name}_FOR_CART`,
        `${name}_FOR_PROD`,
        `${name}_FOR_SHOP`,
      ])
    expect(apply[0]?.description).toContain('kustomization.yaml in the directory of namespace cart of cluster prod.')
  })

  test('warns about objects of the same name in another namespace outside the request', () => {
    const warningsFor = (clusterId: string, kind: string) =>
      renderSome([aChange(smaller)], 'kustomize', {
        namesakes: [{ clusterId, kind, namespace: 'blog', name: 'web' }],
      }).warnings
    expect(warningsFor('cls_1', 'Deployment')).toMatchObject([
      {
        code: 'same_name_in_namespaces',
        message: expect.stringContaining('Deployment web exists in the namespaces blog, shop') as string,
        recommendationIds: ['rec_1'],
      },
    ])
    expect(warningsFor('cls_2', 'Deployment')).toEqual([])
    expect(warningsFor('cls_1', 'StatefulSet')).toEqual([])
  })

  test('names the namespace in its targets if another namespace outside the request has the same name', () => {
    const namespaceFor = (namespace: string) => {
      const namesakes = [{ clusterId: 'cls_1', kind: 'Deployment', namespace, name: 'web' }]
      const { files } = renderSome([aChange(smaller)], 'kustomize', { namesakes })
      return (files[0]?.content as { patches: { target: { namespace?: string } }[] }).patches[0]?.target.namespace
    }
    expect(namespaceFor('blog')).toBe('(default|shop)')
    // kustomize calls a missing namespace `default`.
    expect(namespaceFor('default')).toBe('shop')
  })

  test('warns that it does not reach objects of a chart', () => {
    const live = aWorkload({ annotations: { 'meta.helm.sh/release-name': 'front' } })
    const { warnings, apply } = renderSome([aChange(smaller, live)], 'kustomize')
    expect(warnings).toMatchObject([{ code: 'made_by_helm' }])
    expect(warnings[0]?.message).toContain('Argo CD and Flux ignore components for a chart')
    expect(apply.map(({ tool }) => tool)).toEqual(['kustomize', 'kubectl'])
  })
})
