import { expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someCpu, someFacts, someMemory } from '../builders.ts'
import type { ContainerFacts } from '../facts/cluster-facts.ts'
import { containerOverprovisioned } from './container-overprovisioned.ts'
import { observer } from '../evaluate.ts'
import { sidecarOverprovisioned } from './sidecar-overprovisioned.ts'

const MIB = 1024

const proxy = (millicores: number, over: Partial<ContainerFacts> = {}) =>
  aContainer({
    name: 'istio-proxy',
    cpuRequestMillicores: 200,
    memoryRequestKib: 256 * MIB,
    usage: aUsage({ cpu: someCpu([millicores / 2]), memory: someMemory(60 * MIB), memoryMaxKib: 60 * MIB }),
    decision: aSize(millicores, 180 * MIB),
    ...over,
  })

const meshOf = (...sidecars: ContainerFacts[]) =>
  someFacts({
    workloads: sidecars.map((sidecar, index) => aWorkload({ name: `web-${index}`, containers: [sidecar] })),
  })

const mesh = meshOf(proxy(20), proxy(40), proxy(30))

test('a sidecar of three workloads gets the request of the busiest one, in one recommendation', () => {
  const { findings } = evaluateRule(sidecarOverprovisioned, mesh)
  expect(findings).toMatchObject([
    {
      target: { kind: 'Sidecar', namespace: '', name: 'istio-proxy' },
      podName: 'web-0',
      currentSpec: { cpuMillicores: 200, memoryKib: 256 * MIB },
      recommendedSpec: { cpuMillicores: 40, memoryKib: 180 * MIB },
      evidence: { facts: { workloads: 3, busiest: 'web-1' } },
    },
  ])
  // Two pods each, three workloads.
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(6 * (160 * 0.02 + 76 * MIB * 0.000004), 6)
})

test('its containers are not reported separately', () => {
  expect(evaluateRule(containerOverprovisioned, mesh)).toMatchObject({ findings: [], withheld: [] })
})

test('two workloads are sized separately', () => {
  const two = meshOf(proxy(20), proxy(40))
  expect(evaluateRule(sidecarOverprovisioned, two).findings).toEqual([])
  expect(evaluateRule(containerOverprovisioned, two).findings).toHaveLength(2)
})

test('nothing is found if one of them needs the whole request, and withheld if one cannot be sized', () => {
  expect(
    evaluateRule(sidecarOverprovisioned, meshOf(proxy(20), proxy(20), proxy(200, { decision: aSize(200, 256 * MIB) })))
      .findings,
  ).toEqual([])
  expect(
    evaluateRule(sidecarOverprovisioned, meshOf(proxy(20), proxy(20), proxy(20, { usage: null }))).reasons,
  ).toEqual(['too_little_history'])
})

test('it counts as applied when the template has changed', () => {
  const target = { kind: 'Sidecar', namespace: '', name: 'istio-proxy', container: 'istio-proxy' }
  expect(observer(mesh)(target)).toMatchObject({ kind: 'seen', cpuMillicores: 200, replicas: 6 })
  expect(observer(meshOf())(target)).toEqual({ kind: 'gone' })
})
