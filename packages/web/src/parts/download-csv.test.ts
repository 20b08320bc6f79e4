import { expect, test } from 'vitest'
import { csvText } from './download-csv.tsx'

test('commas and quotation marks stay in their cell', () => {
  expect(csvText([['a,b', 'say "x"', '1.5']])).toBe('"a,b","say ""x""",1.5')
})

test('a name that looks like a formula stays text, and a negative number stays a number', () => {
  expect(csvText([['=cmd()', '-3.5', '@x']])).toBe("'=cmd(),-3.5,'@x")
})
