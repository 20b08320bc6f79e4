import { expect, test } from 'vitest'
import { TimeLeft } from './time-left.ts'

const stretches = [
  { name: 'send', seconds: 30 },
  { name: 'compute', seconds: 10 },
]

test('the remaining time follows the pace so far', () => {
  let second = 1000
  const left = new TimeLeft(stretches, () => second)
  expect(left.words()).toBe('')
  second += 30
  left.reached('send', 0.5)
  // 15 of 40 parts took 30 s: the other 25 take 50 s.
  expect(left.words()).toBe(', about 50 s left')
  second += 22
  expect(left.words()).toBe(', about 30 s left')
  left.reached('compute', 0.5)
  expect(left.words()).toBe(', about 5 s left')
  left.reached('compute', 1)
  expect(left.words()).toBe(', nearly done')
})

test('too little progress gives no estimate, and an unknown stage changes nothing', () => {
  let second = 0
  const left = new TimeLeft(stretches, () => second)
  second = 1
  left.reached('send', 0.01)
  left.reached('other', 1)
  expect(left.words()).toBe('')
})
