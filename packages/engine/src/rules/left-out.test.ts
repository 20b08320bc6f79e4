import { expect, test } from 'vitest'
import { LEFT_OUT } from './left-out.ts'
import { ANNOTATIONS } from './facts/annotation-names.ts'
import { RULES } from './catalogue.ts'

test('a rule is either there or left out with its reason, and has one name', () => {
  const ids = [...RULES, ...LEFT_OUT].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z]+(_[a-z]+)+$/)
  for (const { why } of LEFT_OUT) expect(why).not.toBe('')
})

test('every mark is documented as people write it', () => {
  for (const { name } of ANNOTATIONS) expect(name).toMatch(/^plimsoll\.dev\/[a-z-]+$/)
})
