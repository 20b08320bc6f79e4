import { expect, test } from 'vitest'
import { LEFT_OUT } from './left-out.ts'
import { ANNOTATIONS } from './facts/annotation-names.ts'
import { RULES } from './catalogue.ts'

test('a rule either exists or is omitted with its reason, and has one name', () => {
  const ids = [...RULES, ...LEFT_OUT].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z]+(_[a-z]+)+$/)
  for (const { why } of LEFT_OUT) expect(why).not.toBe('')
})

test('every annotation is documented in its literal form', () => {
  for (const { name } of ANNOTATIONS) expect(name).toMatch(/^plimsoll\.dev\/[a-z-]+$/)
})
