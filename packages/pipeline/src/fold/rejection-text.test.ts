import { expect, test } from 'vitest'
import { rejectionText } from './rejection-text.ts'

test('each reason appears once, with all its objects', () => {
  const late = 'older than 48 hours'
  expect(
    rejectionText([
      { table: 'minutes', index: 0, reason: late },
      { table: 'events', index: 3, reason: 'the time is in the future' },
      { table: 'minutes', index: 2, reason: late },
      { table: 'events', index: 5, reason: late },
    ]),
  ).toBe('minutes 0, 2, events 5: older than 48 hours; events 3: the time is in the future')
})

test('without rejections there is no text; a long text has a thousand characters', () => {
  expect(rejectionText([])).toBeNull()
  expect(rejectionText([{ table: 'pods', index: 0, reason: 'x'.repeat(5000) }])).toHaveLength(1000)
})
