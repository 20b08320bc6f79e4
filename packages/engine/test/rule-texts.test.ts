import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RULES } from '../src/rules/catalogue.ts'
import type { Rule } from '../src/rules/rule.ts'

const folder = join(import.meta.dirname, '../src/rules/catalogue')
const rules = readdirSync(folder)
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** Numbers that the file declares as constants, also as percentages. */
function constantsOf(text: string): Set<string> {
  const values = [...text.matchAll(/^const [A-Z_]+ = ([\d._]+)$/gm)].map(([, value]) =>
    Number(value?.replaceAll('_', '')),
  )
  return new Set(values.flatMap((value) => (value < 1 ? [`${Math.round(100 * value)} %`] : [String(value)])))
}

/** Numbers that the texts of the rule write out. */
function writtenIn(text: string): string[] {
  const texts = text.slice(text.indexOf('  title: '), text.indexOf('  needs: [')).replaceAll(/\$\{[^}]*\}/g, '')
  return [...texts.matchAll(/(?<![\w.])\d[\d,.]*\d(?: %)?|(?<![\w.])\d(?: %)?/g)].map(([number]) => number)
}

test.each(rules)('the texts of $name interpolate the constants that they quote', ({ text }) => {
  const constants = constantsOf(text)
  expect(writtenIn(text).filter((number) => constants.has(number) && number !== '0')).toEqual([])
})

const textsOf = ({ description, trigger, saving, guards }: Rule) => [description, trigger, saving, ...guards]

test.each(RULES)('the title of $id is imperative and short, and its texts are sentences', (rule) => {
  expect(rule.title).toMatch(
    /^(?:Add|Change|Delete|Fix|Lower|Match|Move|Raise|Reduce|Release|Remove|Replace|Restore|Run|Scale|Set|Shrink|Switch|Unblock|Upgrade) /,
  )
  expect(rule.title.length).toBeLessThanOrEqual(60)
  for (const text of textsOf(rule)) expect(text).toMatch(/[.]$/)
})

test.each(RULES)('no sentence of $id has more than 20 words', (rule) => {
  const sentences = textsOf(rule).flatMap((text) => text.split(/(?<=[.])\s+(?=[A-Z(])/))
  expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 20)).toEqual([])
})
