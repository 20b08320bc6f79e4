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

test('a removal takes all nodes of an applied step or of the smallest drain step', () => {
  const removals = [30, 52, 60].map((afterHours) => ({ scenario: 'production', pool: 'general', afterHours }))
  const node = (name: string, pool = 'general') => ({ name, pool })
  const steps = [
    { kind: 'free', nodes: [node('node-1')], ids: ['open', 'done'] },
    { kind: 'drain', nodes: [node('node-2')], ids: ['larger-1', 'larger-2'] },
    { kind: 'drain', nodes: [node('gpu-1', 'gpu')], ids: ['gpu'] },
    { kind: 'drain', nodes: [node('node-3'), node('spot-1', 'spot')], ids: ['drain'] },
    { kind: 'free', nodes: [node('node-5')], ids: ['done'] },
  ]
  expect(planRemovals(removals, steps, new Set(['done']))).toEqual({
    planned: [
      { pool: 'general', afterHours: 30, node: 'node-5' },
      { pool: 'general', afterHours: 52, node: 'node-3' },
      { pool: 'spot', afterHours: 52, node: 'spot-1' },
      { pool: 'general', afterHours: 60, node: 'node-2' },
    ],
    ids: ['drain', 'larger-1', 'larger-2'],
  })
})

test('a removal without a step takes any node of its pool, unless it needs a step', () => {
  const removal = { scenario: 'production', pool: 'data', afterHours: 40 }
  const steps = [{ kind: 'drain', nodes: [{ name: 'node-1', pool: 'general' }], ids: ['drain'] }]
  expect(planRemovals([removal, { ...removal, needsStep: true }], steps, new Set())).toEqual({
    planned: [{ pool: 'data', afterHours: 40 }],
    ids: [],
  })
})
