import { expect, test } from 'vitest'
import { carryOut, planRemovals } from './carry-out.ts'
import type { Decision } from './decisions.ts'

const decision: Decision = {
  ...{ scenario: 'production', namespace: 'shop', workload: 'web', container: 'app' },
  moves: [],
  share: 1,
}
const advice = {
  current: { cpu_request: '1', memory_request: '2Gi' },
  recommended: { cpu_request: '250m', memory_request: '1024Mi' },
}
const named = { kind: 'resize', namespace: 'shop', workload: 'web', container: 'app' }

test('a change is rolled out twenty minutes after its decision, as recommended', () => {
  expect(carryOut(decision, advice, 3600)).toEqual([{ ...named, atSecond: 4800, cpuMillicores: 250, memoryMib: 1024 }])
})

test('half of a change is applied by half', () => {
  expect(carryOut({ ...decision, share: 0.5 }, advice, 0)).toEqual([
    { ...named, atSecond: 1200, cpuMillicores: 625, memoryMib: 1536 },
  ])
})

test('a reverted change restores the old values', () => {
  const [, back] = carryOut({ ...decision, takenBackAfterHours: 24 }, advice, 0)
  expect(back).toEqual({ ...named, atSecond: 1200 + 86_400, cpuMillicores: 1000, memoryMib: 2048 })
})

test('a decision without a rollout changes nothing', () => {
  expect(carryOut({ ...decision, share: 0 }, advice, 0)).toEqual([])
})

test('a removal takes a node that an applied step or a drain step names', () => {
  const removals = [30, 52, 60].map((afterHours) => ({ scenario: 'production', pool: 'general', afterHours }))
  const steps = [
    { kind: 'free', nodes: [{ name: 'node-1', pool: 'general' }], ids: ['open', 'done'] },
    { kind: 'free', nodes: [{ name: 'node-2', pool: 'general' }], ids: ['done'] },
    { kind: 'drain', nodes: [{ name: 'gpu-1', pool: 'gpu' }], ids: ['gpu'] },
    { kind: 'drain', nodes: [{ name: 'node-3', pool: 'general' }], ids: ['drain'] },
  ]
  expect(planRemovals(removals, steps, new Set(['done']))).toEqual({
    planned: [
      { pool: 'general', afterHours: 30, node: 'node-2' },
      { pool: 'general', afterHours: 52, node: 'node-3' },
      { pool: 'general', afterHours: 60 },
    ],
    ids: ['drain'],
  })
})
