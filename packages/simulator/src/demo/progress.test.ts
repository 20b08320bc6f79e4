import { expect, test } from 'vitest'
import { joined, progressOf, stepWords } from './progress.ts'

test('progress is printed at intervals, not at every step', () => {
  const said: string[] = []
  let second = 100
  const onShare = progressOf(
    'office: until now',
    (text) => said.push(text),
    () => second,
  )
  for (const [at, share] of [
    [101, 0.1],
    [105, 0.255],
    [109, 0.5],
    [111, 1.2],
  ] as const) {
    second = at
    onShare(share)
  }
  expect(said).toEqual(['office: until now: 25 %', 'office: until now: 100 %'])
})

test('each stage prints its number and the number of stages', () => {
  const said = [2, 1, 0].map((chapters, done) => stepWords({ done, left: chapters + 1, what: 'on' }))
  expect(said).toEqual(['Step 1 of 3: on', 'Step 2 of 3: on', 'Step 3 of 3: on'])
})

test('parallel tasks are done when all are done, each with its weight', () => {
  const shares: number[] = []
  const [small, large] = joined([1, 3], (share) => shares.push(share))
  small?.(1)
  large?.(0.5)
  large?.(1.2)
  expect(shares).toEqual([0.25, 0.625, 1])
})
