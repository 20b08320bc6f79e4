import { expect, test } from 'vitest'
import { gapsOf, knownStretches, pointsOf } from './gaps.ts'

const known = (steps: string) => [...steps].map((step) => step === 'x')

test.each([
  ['xxxx', []],
  ['xx..xx', [{ from: 1, to: 4 }]],
  ['..xx', [{ from: 0, to: 2 }]],
  ['xx..', [{ from: 1, to: 3 }]],
  ['....', [{ from: 0, to: 3 }]],
])('in %s the missing data is drawn as %o', (steps, gaps) => {
  expect(gapsOf(known(steps))).toEqual(gaps)
})

test('a single step between gaps has a width', () => {
  const stretches = knownStretches(known('x..x..x'))
  expect(stretches.map((stretch) => pointsOf(stretch, 7).map(({ at }) => at))).toEqual([
    [0, 0.25],
    [2.75, 3.25],
    [5.75, 6],
  ])
  expect(gapsOf(known('.x.'))).toEqual([
    { from: 0, to: 0.75 },
    { from: 1.25, to: 2 },
  ])
})
