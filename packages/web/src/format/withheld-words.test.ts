import { expect, test } from 'vitest'
import { reasonWords } from './withheld-words.ts'

test('a reason is said in words, also one that nobody has put into words yet', () => {
  expect(reasonWords('system_namespace')).toBe('part of the system')
  expect(reasonWords('too_early_to_say')).toBe('too early to say')
})
