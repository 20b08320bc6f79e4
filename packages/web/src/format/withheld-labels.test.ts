import { expect, test } from 'vitest'
import { reasonLabels } from './withheld-labels.ts'

test('an unknown reason is shown as its id', () => {
  expect(reasonLabels('system_namespace')).toBe('system namespace')
  expect(reasonLabels('too_early_to_say')).toBe('too early to say')
})
