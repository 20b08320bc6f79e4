import { expect, test } from 'vitest'
import { hasMoved, keepMoved } from './step-credits.ts'

const now = { to: new Date('2026-11-18T04:00:00Z') }

test.each([
  { name: 'ended in the later window', endedAt: '2026-11-18T03:00:00Z', isCredited: true },
  { name: 'has no data in the later window, and ended after it', endedAt: '2026-11-18T09:00:00Z', isCredited: false },
  { name: 'has no data in the later window, and exists', endedAt: null, isCredited: false },
])('a removed node that $name', ({ endedAt, isCredited }) => {
  expect(hasMoved({ movement: 'removed', endedAt: endedAt === null ? null : new Date(endedAt) }, now)).toBe(isCredited)
})

test('a step names only the nodes that it has money for', () => {
  const nodes = new Map([
    ['a', { removed: 'first' }],
    ['b', { removed: 'first' }],
  ])
  expect([...keepMoved(nodes, [{ uid: 'a' }]).keys()]).toEqual(['a'])
})
