import { expect, test } from 'vitest'
import { aContainer, amounts, type Size } from './builders.ts'
import { podRequest, type PodShape } from './pod-request.ts'

const app = (cores: number, name = 'app') => aContainer({ name, cores, gib: 0 })
const init = (cores: number, name = 'init') => ({ ...app(cores, name), sidecar: false })
const sidecar = (cores: number, name = 'proxy') => ({ ...app(cores, name), sidecar: true })
const cores = (size: Size) => amounts(size)

test.each<{ name: string; shape: PodShape; beyondCores: number }>([
  { name: 'of containers only reserves their sum', shape: { containers: [app(1), app(2, 'b')] }, beyondCores: 0 },
  { name: 'with a large init container', shape: { containers: [app(1)], initContainers: [init(4)] }, beyondCores: 3 },
  { name: 'with a small init container', shape: { containers: [app(1)], initContainers: [init(0.5)] }, beyondCores: 0 },
  {
    name: 'whose init container runs with an earlier sidecar: 4 + 1 against 1 + 1',
    shape: { containers: [app(1)], initContainers: [sidecar(1), init(4)] },
    beyondCores: 3,
  },
  {
    name: 'whose init container ends before the sidecar starts: 4 against 1 + 1',
    shape: { containers: [app(1)], initContainers: [init(4), sidecar(1)] },
    beyondCores: 2,
  },
  {
    name: 'with RuntimeClass overhead',
    shape: { containers: [app(1)], runtimeOverhead: cores({ cores: 0.25 }) },
    beyondCores: 0.25,
  },
  {
    name: 'with pod-level resources, which replace the sum, and overhead on top',
    shape: {
      containers: [app(1)],
      initContainers: [init(8)],
      podRequest: { cpu: 3_000_000 },
      runtimeOverhead: cores({ cores: 0.25 }),
    },
    beyondCores: 2.25,
  },
])('a pod $name', ({ shape, beyondCores }) => {
  expect(podRequest(shape).pod.cpu).toBe(beyondCores * 1e6)
})

test('a native sidecar counts for the life of the pod, an init container does not', () => {
  const { containers } = podRequest({ containers: [app(1)], initContainers: [sidecar(1), init(4)] })
  expect(containers.map(({ name }) => name)).toEqual(['app', 'proxy'])
})

test('an in-place resize holds the larger of spec and allocated', () => {
  const growing = { ...app(4), allocated: cores({ cores: 2 }) }
  const shrinking = { ...app(1), allocated: cores({ cores: 2 }) }
  expect(podRequest({ containers: [growing] }).containers[0]?.request.cpu).toBe(4e6)
  expect(podRequest({ containers: [shrinking] }).containers[0]?.request.cpu).toBe(2e6)
})

test('a resize that the node cannot grant reserves nothing more', () => {
  const infeasible = { ...app(64), allocated: cores({ cores: 2 }) }
  expect(podRequest({ containers: [infeasible], resizeInfeasible: true }).containers[0]?.request.cpu).toBe(2e6)
})
