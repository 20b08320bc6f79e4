import { expect, test } from 'vitest'
import { reasonWords } from './withheld-words.ts'

test('an unknown reason is shown as its id', () => {
  expect(reasonWords('system_namespace')).toBe('system namespace')
  expect(reasonWords('too_early_to_say')).toBe('too early to say')
})
