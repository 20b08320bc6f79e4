import { expect, test } from 'vitest'
import { deliverersOf } from './gitops-origin.ts'

const none = { labels: {}, annotations: {} }
const flux = (toolkit: string) => ({
  [`${toolkit}.toolkit.fluxcd.io/name`]: 'front',
  [`${toolkit}.toolkit.fluxcd.io/namespace`]: 'flux-system',
})

test.each([
  ['nothing', none, []],
  ['an Application', { ...none, annotations: { 'argocd.argoproj.io/tracking-id': 'shop:x' } }, ['Application shop']],
  ['Helm itself', { ...none, annotations: { 'meta.helm.sh/release-name': 'front' } }, ['Release front']],
  ['a chart that does not name its release', { ...none, labels: { 'helm.sh/chart': 'web-1.0.0' } }, ['Release null']],
  ['a HelmRelease, which is its release', { ...none, labels: flux('helm') }, ['HelmRelease front']],
  ['a Kustomization', { ...none, labels: flux('kustomize') }, ['Kustomization front']],
  [
    'an Application that renders a chart',
    { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:x' }, labels: { 'helm.sh/chart': 'web-1.0.0' } },
    ['Application shop', 'Release null'],
  ],
  ['a name that no tool can produce', { ...none, labels: { 'argocd.argoproj.io/instance': '$(x)' } }, []],
])('a workload managed by %s says so', (_what, annotations, expected) => {
  expect(deliverersOf(annotations).map(({ kind, name }) => `${kind} ${name}`)).toEqual(expected)
})
