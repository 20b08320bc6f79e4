import { describe, expect, test } from 'vitest'
import { aChange, aWorkload, renderSome, smaller } from './builders.ts'
import { MANIFEST_FORMATS } from '../vocabulary/manifest-formats.ts'

describe('commands for several clusters', () => {
  const labels = { 'helm.sh/chart': 'web-1.2.3', 'app.kubernetes.io/instance': 'front' }
  const fleetOf = (...names: string[]) =>
    names.map((clusterName, index) =>
      aChange(smaller, aWorkload({ labels }), { clusterName, clusterId: `cls_${index}`, id: `rec_${index}` }),
    )
  /** Commands that contact a cluster. */
  const reaching = /(?:kubectl|helm|flux)(?:.*) (?:get|apply|upgrade|reconcile|patch (?!--local))/

  test.each(MANIFEST_FORMATS)('%s: stop if the reader has not set the context of the cluster', (format) => {
    const { apply, verify } = renderSome(fleetOf('prod', 'eu'), format)
    const steps = [...apply, ...verify].filter(({ command }) => reaching.test(command))
    expect(steps.length).toBeGreaterThan(3)
    for (const { clusterId, command, description } of steps) {
      const [variable, name] = clusterId === 'cls_0' ? ['CONTEXT_FOR_PROD', 'prod'] : ['CONTEXT_FOR_EU', 'eu']
      expect(command).toContain(`context="\${${variable}:?is not set}"`)
      expect(description).toContain(`Set ${variable} to your kubectl context of cluster ${name}.`)
    }
  })

  test('produce a warning for each cluster, but not in the pull request', () => {
    const { warnings: all, pullRequest } = renderSome(fleetOf('prod', 'eu'))
    const warnings = all.filter(({ code }) => code === 'context_to_set')
    expect(warnings).toMatchObject([
      { code: 'context_to_set', recommendationIds: ['rec_0'] },
      { code: 'context_to_set', recommendationIds: ['rec_1'] },
    ])
    expect(warnings[0]?.message).toContain('Cluster prod: set CONTEXT_FOR_PROD')
    expect(pullRequest?.body).not.toContain('CONTEXT')
  })

  test('never share a variable', () => {
    const { apply } = renderSome(fleetOf('a.b', 'a-b', 'a_b', '集群', '!', 'other (eu)'))
    const variables = apply.flatMap(({ command }) => /CONTEXT_FOR_\w+/.exec(command) ?? [])
    expect(new Set(variables).size).toBe(6)
    expect(variables).toContain('CONTEXT_FOR_OTHER_EU')
  })

  test.each(MANIFEST_FORMATS)('%s: for one cluster use the current context and say which one it must be', (format) => {
    const { apply, verify, warnings } = renderSome(fleetOf('prod'), format)
    expect([...apply, ...verify].some(({ command }) => command.includes('context'))).toBe(false)
    expect(warnings.some(({ code }) => code === 'context_to_set')).toBe(false)
    const steps = [...apply, ...verify].filter(({ command }) => reaching.test(command))
    expect(steps.length).toBeGreaterThan(1)
    for (const { description } of steps)
      expect(description).toContain('Your current kubectl context must point to cluster prod.')
  })

  test('change and build the kustomization of that cluster only', () => {
    const { apply, verify } = renderSome(fleetOf('production', 'eu'), 'kustomize')
    const steps = [...apply, ...verify].filter(({ command }) => / edit | -k | kustomize /.test(command))
    expect(steps).toHaveLength(6)
    for (const { clusterId, command, description } of steps) {
      const variable = clusterId === 'cls_0' ? 'DIR_FOR_PRODUCTION' : 'DIR_FOR_EU'
      expect(command).toContain(`"\${${variable}:?is not set}"`)
      expect(description).toContain(`Set ${variable} to the directory with kustomization.yaml and plimsoll.`)
    }
  })

  test.each(['helm', 'kustomize'] as const)(
    '%s: name the cluster of each Application and each object of Flux',
    (format) => {
      const variants = [{}, { 'argocd.argoproj.io/tracking-id': 'shop:x' }]
      for (const annotations of variants) {
        const plain = aWorkload({ annotations, ...(format === 'helm' ? { labels } : {}) })
        const wanted = ['prod', 'eu'].map((clusterName, index) =>
          aChange(smaller, plain, { clusterName, clusterId: `cls_${index}`, id: `rec_${index}` }),
        )
        const steps = renderSome(wanted, format).apply.filter(({ tool }) => tool === 'argocd' || tool === 'flux')
        expect(steps.length).toBeGreaterThan(1)
        for (const { clusterId, description } of steps)
          expect(description).toContain(` of cluster ${clusterId === 'cls_0' ? 'prod' : 'eu'}`)
        const variables = steps.flatMap(({ command }) => /\$\{(?!CONTEXT)\w+/.exec(command)?.[0] ?? [])
        expect(new Set(variables).size).toBe(variables.length)
      }
    },
  )
})
