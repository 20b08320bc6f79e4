import { describe, expect, test } from 'vitest'
import { aChange, aWorkload, renderSome, smaller } from './builders.ts'
import type { WantedChange } from './plan-patches.ts'

describe('a kustomization', () => {
  const kept = (namespace: string, application: string, name = namespace) =>
    aWorkload({
      namespace,
      name,
      annotations: { 'argocd.argoproj.io/tracking-id': `${application}:apps/Deployment:${namespace}/${name}` },
    })
  const linesOf = (wanted: readonly WantedChange[], tool: string) =>
    renderSome(wanted, 'kustomize')
      .apply.filter((step) => step.tool === tool)
      .map(({ lines }) => lines)

  test('has no overlay where nobody says what it would build: everything in it builds by itself', () => {
    const paths = renderSome([aChange(smaller)], 'kustomize').files.map(({ path }) => path)
    expect(paths).toEqual([
      'plimsoll/prod/shop/component/kustomization.yaml',
      'plimsoll/prod/shop/component/deployment-web.patch.yaml',
    ])
  })

  test('has one overlay over the named directory for all namespaces, so that none undoes the other', () => {
    const wanted = [aChange(smaller), aChange(smaller, aWorkload({ namespace: 'blog', name: 'wiki' }), { id: 'rec_2' })]
    const { files, apply, verify } = renderSome(wanted, 'kustomize', { kustomizeBase: 'deploy/prod' })
    const overlays = files.filter(({ path }) => path.includes('/overlay/'))
    expect(overlays).toMatchObject([
      {
        path: 'plimsoll/prod/overlay/kustomization.yaml',
        content: { resources: ['../../../deploy/prod'], components: ['../blog/component', '../shop/component'] },
      },
    ])
    expect(apply.map(({ command }) => command)).toContain('kubectl apply -k plimsoll/prod/overlay')
    expect(apply.some(({ tool }) => tool === 'kustomize')).toBe(false)
    expect(verify[0]?.command).toContain('kubectl kustomize plimsoll/prod/overlay |')
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
          source: { kustomize: { components: ['plimsoll/prod/cart/component', 'plimsoll/prod/shop/component'] } },
        },
      },
      { spec: { source: { kustomize: { components: ['plimsoll/prod/desk/component'] } } } },
    ])
    expect(linesOf(wanted, 'flux')).toEqual([{ spec: { components: ['plimsoll/prod/blog/component'] } }])
  })

  test('tells one Application to build an overlay, and never two', () => {
    const toolsOf = (other: string) =>
      renderSome(
        [aChange(smaller, kept('shop', 'one')), aChange(smaller, kept('cart', other), { id: 'rec_2' })],
        'kustomize',
        { kustomizeBase: 'deploy' },
      ).apply.map(({ tool }) => tool)
    expect(toolsOf('one')).toEqual(['kubectl', 'argocd'])
    expect(toolsOf('two')).toEqual(['kubectl'])
  })

  test('keeps what has one name in two namespaces out of one list and out of an overlay', () => {
    const wanted = [
      aChange(smaller, kept('shop', 'one', 'web')),
      aChange(smaller, kept('cart', 'one', 'web'), { id: 'rec_2' }),
    ]
    expect(linesOf(wanted, 'argocd')).toHaveLength(2)
    const { files, warnings } = renderSome(wanted, 'kustomize', { kustomizeBase: 'base' })
    expect(files.some(({ path }) => path.includes('overlay'))).toBe(false)
    expect(warnings).toMatchObject([{ code: 'same_name_in_namespaces' }])
  })

  test('is said not to reach what a chart makes', () => {
    const live = aWorkload({ annotations: { 'meta.helm.sh/release-name': 'front' } })
    const { warnings, apply } = renderSome([aChange(smaller, live)], 'kustomize')
    expect(warnings).toMatchObject([{ code: 'made_by_helm' }])
    expect(warnings[0]?.message).toContain('there are no lines for Argo CD or Flux')
    expect(apply.map(({ tool }) => tool)).toEqual(['kustomize', 'kubectl'])
  })
})
