import { createElement } from 'react'
import { expect, test } from 'vitest'
import { countOf, markupOf } from '../../test/markup.ts'
import { FormActions } from './dialog.tsx'

test('the first button submits the form, and is disabled until the form is ready', () => {
  const shown = (isReady: boolean) =>
    markupOf(createElement(FormActions, { word: 'Save', isReady, onCancel: () => undefined }))
  expect(shown(true)).toMatch(/<button type="submit"[^>]*>Save<\/button><button type="button"[^>]*>Cancel/)
  expect(countOf(shown(true), 'button')).toBe(2)
  expect(shown(true)).not.toContain('disabled')
  expect(shown(false)).toMatch(/<button type="submit"[^>]* disabled=""[^>]*>Save/)
})
