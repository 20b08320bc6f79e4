import { expect, test } from 'vitest'
import { ApiError } from '@plimsoll/client'
import { fieldErrors, isAllShown, wrongAt } from './field-errors.ts'

const refused = (...errors: unknown[]) => fieldErrors(new ApiError(422, 'invalid_body', 'No.', { errors }))

const tooMany = { pointer: '/settings/min_history_days', code: 'maximum', detail: 'must be 35 or less, got 99' }
const noLabel = { pointer: '/settings/owner_labels/0', code: 'minLength', detail: 'must not be empty' }

test('what was said about a field is found at its pointer', () => {
  expect(wrongAt(refused(tooMany), '/settings/min_history_days')).toBe('must be 35 or less, got 99')
  expect(wrongAt(refused(tooMany), '/settings/min_history')).toBeUndefined()
})

test('what was said about an entry of a list is said about the list', () => {
  expect(wrongAt(refused(noLabel), '/settings/owner_labels')).toBe('must not be empty')
})

test('a form says in its own words what it knows better than the service, and nothing else', () => {
  const ownWords = { '/kind required': 'Enter at least one rate.' }
  const said = (code: string) =>
    fieldErrors(
      new ApiError(422, 'invalid_body', 'No.', { errors: [{ pointer: '/kind', code, detail: 'as it is' }] }),
      ownWords,
    ).get('/kind')
  expect(said('required')).toBe('Enter at least one rate.')
  expect(said('enum')).toBe('as it is')
})

test('what belongs to no field that a form shows is left for the form to say', () => {
  const fields = ['/settings/min_history_days', '/settings/owner_labels']
  expect(isAllShown(refused(tooMany, noLabel), fields)).toBe(true)
  expect(isAllShown(refused(tooMany, { pointer: '/cluster_id', detail: 'is gone' }), fields)).toBe(false)
})

test('an error that names no field is shown at none', () => {
  expect(isAllShown(fieldErrors(new Error('away')), ['/name'])).toBe(false)
  expect(isAllShown(refused({ parameter: 'limit', detail: 'too large' }, null), ['/name'])).toBe(false)
})
