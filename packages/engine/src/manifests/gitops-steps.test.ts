import { describe, expect, test } from 'vitest'
import { aChange, aWorkload, renderSome, smaller } from './builders.ts'
import { MANIFEST_FORMATS } from '../vocabulary/manifest-formats.ts'

const byFlux = {
  labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
}
const byArgo = { annotations: { 'argocd.argoproj.io/tracking-id': 'front:apps/Deployment:shop/web' } }
const byRelease = {
  labels: { 'helm.toolkit.fluxcd.io/name': 'front', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' },
}

const formats = MANIFEST_FORMATS.filter((format) => format !== 'helm')

describe.each(formats)('%s for a workload of a GitOps tool', (format) => {
  const rendered = (given: object, kustomizeBase: string | null = null) =>
    renderSome([aChange(smaller, aWorkload(given))], format, { kustomizeBase })
  const commandsOf = (given: object) => rendered(given).apply.map(({ command }) => command)

  test.each([
    ['Flux', byFlux, 'flux reconcile kustomization apps -n flux-system --with-source'],
    ['Argo CD', byArgo, 'argocd app sync front'],
  ])('commits, pushes and lets %s deploy, and never changes the cluster directly', (_tool, given, deploy) => {
    const commands = commandsOf(given)
    expect(commands.at(-2)).toMatch(/^git add .* && git commit -m 'Apply Plimsoll recommendations' && git push$/)
    expect(commands.at(-1)).toBe(deploy)
    expect(commands.join('\n')).not.toMatch(/kubectl (apply|patch (?!--local))/)
    expect(
      rendered(given)
        .files.flatMap(({ comment }) => comment)
        .join('\n'),
    ).not.toMatch(/kubectl (apply|patch)/)
    expect(rendered(given).warnings.map(({ code }) => code)).toContain('managed_by_gitops')
  })

  test('adds the patch to the post-renderers of a HelmRelease, which has no manifest of the workload', () => {
    const { apply } = rendered(byRelease)
    expect(apply.map(({ tool }) => tool)).toEqual(['git', 'flux'])
    expect(apply[0]?.lines).toMatchObject({ spec: { postRenderers: [{ kustomize: { patches: [{}] } }] } })
    expect(apply[1]?.command).toMatch(
      /^flux reconcile kustomization .* --with-source && flux reconcile helmrelease front/,
    )
  })

  test('changes the cluster directly if nothing manages the workload', () => {
    expect(commandsOf({}).join('\n')).toMatch(/kubectl (apply|patch (?!--local))/)
  })
})

test('an overlay is committed and deployed by its Application', () => {
  const { apply } = renderSome([aChange(smaller, aWorkload(byArgo))], 'kustomize', { kustomizeBase: 'deploy' })
  expect(apply.map(({ command }) => command)).toEqual([
    `git add plimsoll "\${APPLICATION_FILE:?is not set}" && git commit -m 'Apply Plimsoll recommendations' && git push`,
    'argocd app sync front',
  ])
  expect(apply[0]?.lines).toEqual({ spec: { source: { path: 'plimsoll/prod/overlay' } } })
})

test('the values of a HelmRelease are committed before Flux fetches them and upgrades the release', () => {
  const live = aWorkload({ labels: { ...byRelease.labels, 'helm.sh/chart': 'web-1.2.3' } })
  const { apply, warnings } = renderSome([aChange(smaller, live)], 'helm')
  expect(apply.map(({ command }) => command)).toEqual([
    `git add "\${HELMRELEASE_FILE:?is not set}" && git commit -m 'Apply Plimsoll recommendations' && git push`,
    'flux reconcile kustomization "${KUSTOMIZATION:?is not set}" -n "${KUSTOMIZATION_NAMESPACE:?is not set}" --with-source && flux reconcile helmrelease front -n flux-system',
  ])
  expect(apply[0]?.lines).toMatchObject({ spec: { values: { resources: { requests: { cpu: '250m' } } } } })
  expect(warnings.map(({ code }) => code)).toContain('managed_by_gitops')
})

test('workloads of two managers are in two kustomizations', () => {
  const wanted = [aChange(smaller, aWorkload(byArgo)), aChange(smaller, aWorkload({ name: 'api' }), { id: 'rec_2' })]
  const { apply } = renderSome(wanted, 'kustomize')
  const commands = apply.map(({ command }) => command)
  expect(commands.filter((command) => command.includes('kubectl apply'))).toEqual([
    'kubectl apply -k "${DIR_FOR_PROD:?is not set}"',
  ])
  expect(commands.some((command) => command.startsWith('(cd "${DIR_FOR_FRONT:?is not set}" && git add'))).toBe(true)
})
