import { searchLettersMin as searchLettersMinOfContract } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { searchLettersMin } from './queries.ts'

test('the palette searches from as many letters as the service', () => {
  expect(searchLettersMin).toBe(searchLettersMinOfContract)
})
