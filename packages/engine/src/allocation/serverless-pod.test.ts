import { expect, test } from 'vitest'
import { allocateNode } from '../testing/allocate-node.ts'
import { amounts, aPodSpan, HOUR } from './builders.ts'
import { autopilotSize, fargateSize, serverlessPod, wholeRequest } from './serverless-pod.ts'

const size = (cores: number, gib: number) => ({ kind: 'size', size: amounts({ cores, gib }) })

test.each([
  { name: 'requests nothing', requests: {}, expected: size(0.25, 0.5) },
  { name: 'has 256 MiB added and just fits', requests: { cores: 0.25, gib: 0.25 }, expected: size(0.25, 0.5) },
  { name: 'has 256 MiB added and no longer fits', requests: { cores: 0.25, gib: 0.5 }, expected: size(0.25, 1) },
  { name: 'needs more memory than its CPU may have', requests: { cores: 0.25, gib: 2 }, expected: size(0.5, 3) },
  { name: 'needs more CPU than its memory', requests: { cores: 0.3, gib: 0.1 }, expected: size(0.5, 1) },
  { name: 'is large, where memory comes in steps of 4', requests: { cores: 8, gib: 17 }, expected: size(8, 20) },
  { name: 'is the largest', requests: { cores: 16, gib: 119 }, expected: size(16, 120) },
  { name: 'is larger than any offer', requests: { cores: 16, gib: 120 }, expected: { kind: 'too-large' } },
])('a Fargate pod that $name', ({ requests, expected }) => {
  expect(fargateSize(amounts(requests))).toEqual(expected)
})

test.each([
  { name: 'requests nothing', requests: {}, expected: size(0.05, 52 / 1024) },
  { name: 'is within the ratio', requests: { cores: 1, gib: 4 }, expected: size(1, 4) },
  { name: 'has too little memory for its CPU', requests: { cores: 2, gib: 1 }, expected: size(2, 2) },
  { name: 'has too much memory for its CPU', requests: { cores: 1, gib: 13 }, expected: size(2, 13) },
])('an Autopilot pod that $name', ({ requests, expected }) => {
  expect(autopilotSize(amounts(requests))).toEqual(expected)
})

test('rounding is charged to the pod, and there is no cluster idle', () => {
  const span = aPodSpan({ requests: { cores: 0.3, gib: 0.5 }, uses: { cores: 0.1, gib: 0.6 } })
  const billed = fargateSize(wholeRequest(span.request))
  if (billed.kind === 'too-large') throw new Error('half a core fits')
  const { node, request } = serverlessPod(span.request, billed.size)

  const { node: use } = allocateNode({ ...node, life: HOUR }, [{ ...span, request }], HOUR)

  expect(use.cpu).toMatchObject({ alloc: 0.5e6 * 3600, used: 0.1e6 * 3600, clusterIdle: 0 })
  expect(use.memory).toMatchObject({ alloc: 2 ** 20 * 3600, clusterIdle: 0 })
})
