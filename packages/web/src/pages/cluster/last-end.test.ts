import { expect, test } from 'vitest'
import { lastEnd } from './last-end.ts'

const used = (expires_at: string | null) => ({ last_used_at: '2026-11-01T00:00:00Z', expires_at })
const unused = { last_used_at: null, expires_at: null }

test('a cluster stops reporting when the last token in use expires', () => {
  expect(lastEnd([used('2026-11-18T00:00:00Z'), used('2026-11-20T00:00:00Z'), unused])).toBe('2026-11-20T00:00:00Z')
})

test('there is no end while one used token never expires, or if no token is used', () => {
  expect(lastEnd([used('2026-11-18T00:00:00Z'), used(null)])).toBeNull()
  expect(lastEnd([unused])).toBeNull()
  expect(lastEnd([])).toBeNull()
})
