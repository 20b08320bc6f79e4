import { expect, test } from 'vitest'
import { problems } from './problems.ts'

const all = Object.entries(problems)

test.each(all)('%s has an error status and a short title', (code, { status, title }) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(600)
  expect(title).toMatch(/^[A-Z].*[^.!]$/)
  expect(title.length).toBeLessThanOrEqual(72)
})

test('titles are unique', () => {
  expect(new Set(all.map(([, { title }]) => title)).size).toBe(all.length)
})

test('a code ends with not_found exactly if its status is 404', () => {
  const named = all.filter(([code]) => code.endsWith('not_found')).map(([code]) => code)
  expect(all.filter(([, { status }]) => status === 404).map(([code]) => code)).toEqual(named)
})

test('problems are listed by their status', () => {
  const statuses: number[] = all.map(([, { status }]) => status)
  expect(statuses).toEqual([...statuses].sort((a, b) => a - b))
})
