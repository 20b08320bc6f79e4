import { expect, test } from 'vitest'
import { anItem } from './builders.ts'
import { effortOf, pointsOfItems, pointsOfStep } from './effort.ts'

test('the points of a step follow from its published effort and risk', () => {
  const items = [
    anItem('web', { risk: 'medium' }),
    anItem('web-memory', { workload: 'web' }),
    anItem('db', { isStateful: true, team: 'data' }),
  ]
  const { teams, ...effort } = effortOf(items, { podsRestarted: 5, podsMoved: 2 })
  // Two workloads, two teams, 0.5 for medium risk, 3 for the StatefulSet.
  expect(pointsOfItems(items)).toBe(7.5)
  expect(pointsOfStep({ ...effort, teams: teams.length, changes: 3, risk: 'medium' })).toBe(7.5)
})

test('without workloads, each change counts', () => {
  const volumes = ['a', 'b', 'c'].map((key) => anItem(key, { role: 'remove', workload: '', team: '' }))
  expect(pointsOfItems(volumes)).toBe(3)
})
