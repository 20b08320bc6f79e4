import { Linter } from 'eslint'
import { expect, test } from 'vitest'

/** The regular expression rules of the lint configuration, as in `npm run check`. */
async function patternConfig(): Promise<Linter.Config> {
  const file = new URL('../../../eslint.config.js', import.meta.url)
  const { default: configs } = (await import(file.href)) as { default: Linter.Config[] }
  const found = configs.find(({ rules }) => rules?.['patterns/no-super-linear-pattern'] !== undefined)
  if (!found) throw new Error('no configuration has the rule')
  return { plugins: found.plugins ?? {}, rules: found.rules ?? {} }
}

const refused = [
  'export const literal = /^(?:[a-z]*|b)*$/',
  'export const moving = /\\.[^/]*$/',
  "export const made = new RegExp('^(?:a+)+$')",
  "export const schema = { pattern: '^(?:[a-z]*|b)*$' }",
  "const text = '(?:[a-z])*'; export const formed = Formed(`^(?:${text}|b)*$`, 'text')",
]

test('lint rejects overlapping quantifiers in literals, in new RegExp and in patterns of schemas', async () => {
  const config = await patternConfig()
  const countOf = (code: string) => new Linter().verify(code, config).length
  expect(refused.map((code) => [code, countOf(code) > 0])).toEqual(refused.map((code) => [code, true]))
  expect(countOf("export const fine = [/^[a-z]*$/, new RegExp('^a+$'), { pattern: '^[a-z]+$' }]")).toBe(0)
})
