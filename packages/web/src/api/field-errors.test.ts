import { expect, test } from 'vitest'
import { ApiError } from '@plimsoll/client'
import { fieldErrors, isAllShown, wrongAt } from './field-errors.ts'

const refused = (...errors: unknown[]) => fieldErrors(new ApiError(422, 'invalid_body', 'No.', { errors }))

const tooMany = { pointer: '/settings/min_history_days', code: 'maximum', detail: 'must be 35 or less, got 99' }
const noLabel = { pointer: '/settings/owner_labels/0', code: 'minLength', detail: 'must not be empty' }

test('an error of a field is found by its pointer', () => {
  expect(wrongAt(refused(tooMany), '/settings/min_history_days')).toBe('must be 35 or less, got 99')
  expect(wrongAt(refused(tooMany), '/settings/min_history')).toBeUndefined()
})

test('an error of a list entry is shown at the list', () => {
  expect(wrongAt(refused(noLabel), '/settings/owner_labels')).toBe('must not be empty')
})

test('a form replaces only the errors for which it has its own text', () => {
  const ownWords = { '/kind required': 'Enter at least one rate.' }
  const said = (code: string) =>
    fieldErrors(
      new ApiError(422, 'invalid_body', 'No.', { errors: [{ pointer: '/kind', code, detail: 'as it is' }] }),
      ownWords,
    ).get('/kind')
  expect(said('required')).toBe('Enter at least one rate.')
  expect(said('enum')).toBe('as it is')
})

test('the shown fields do not cover an error of another field', () => {
  const fields = ['/settings/min_history_days', '/settings/owner_labels']
  expect(isAllShown(refused(tooMany, noLabel), fields)).toBe(true)
  expect(isAllShown(refused(tooMany, { pointer: '/cluster_id', detail: 'is gone' }), fields)).toBe(false)
})

test('an error without a field is shown at no field', () => {
  expect(isAllShown(fieldErrors(new Error('away')), ['/name'])).toBe(false)
  expect(isAllShown(refused({ parameter: 'limit', detail: 'too large' }, null), ['/name'])).toBe(false)
})
