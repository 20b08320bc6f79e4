import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as contract from '@plimsoll/contract'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { checkSync } from 'recheck/lib/browser.js'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { isFull } from '../../../../../test/rounds.ts'

type Expression = { source: string; flags: string }

/** `automaton` decides exactly; it rejects look-around and back-references. */
function complexityOf({ source, flags }: Expression): string {
  const checked = checkSync(source, flags, { checker: 'automaton', timeout: 120_000 })
  return checked.status === 'unknown' ? `unknown: ${checked.error.kind}` : checked.complexity.type
}

/**
 * Hashes of expressions that the checker found linear before. A short run trusts them: checking all takes 12 s. A full
 * run checks every expression. `PLIMSOLL_RENEW_FIXTURES=1` with a full run rewrites the file.
 */
const checkedFile = new URL('../../../test/fixtures/linear-expressions.json', import.meta.url)
const checkedBefore = new Set(isFull ? [] : (JSON.parse(readFileSync(checkedFile, 'utf8')) as string[]))
const foundLinear = new Set<string>()

afterAll(() => {
  if (!isFull || process.env.PLIMSOLL_RENEW_FIXTURES !== '1') return
  writeFileSync(checkedFile, `${JSON.stringify([...foundLinear].sort(), undefined, 2)}\n`)
})

const hashOf = ({ source, flags }: Expression) =>
  createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 32)

function isLinear(expression: Expression): boolean {
  const hash = hashOf(expression)
  if (checkedBefore.has(hash)) return true
  const linear = ['safe', 'linear'].includes(complexityOf(expression))
  if (linear) foundLinear.add(hash)
  return linear
}

const superLinear = (expressions: Expression[]) =>
  expressions.filter((each) => !isLinear(each)).map(({ source, flags }) => `/${source}/${flags}`)

/** Every value of a keyword in all exported schemas of the contract, including those of requests. */
function valuesOf(keyword: 'pattern' | 'format', schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
    key === keyword && typeof value === 'string' ? [value] : valuesOf(keyword, value, seen),
  )
}

function literalsIn(directory: URL): Expression[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  return names.flatMap((name) => {
    const file = ts.createSourceFile(name, readFileSync(new URL(name, directory), 'utf8'), ts.ScriptTarget.Latest)
    const found: Expression[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
      }
      node.forEachChild(visit)
    }
    visit(file)
    return found
  })
}

test('the checker distinguishes an exponential, a quadratic and a linear expression', () => {
  const expressions = ['^(?:[a-z]*|\\n)*$', '\\.[^/]*$', '^[a-z]*$'].map((source) => ({ source, flags: 'u' }))
  expect(expressions.map(complexityOf)).toEqual(['exponential', 'polynomial', 'linear'])
})

test('every pattern of a request takes linear time', () => {
  const patterns = [...new Set(valuesOf('pattern', { ...contract }))]
  expect(patterns.length).toBeGreaterThan(20)
  expect(superLinear(patterns.map((source) => ({ source, flags: 'u' })))).toEqual([])
})

test('every format of a request that uses an expression takes linear time', () => {
  const ajv = formats.default(new Ajv())
  const used = new Set(valuesOf('format', { ...contract }))
  const expressions = [...used].map((name) => ajv.formats[name]).filter((format) => format instanceof RegExp)
  expect(expressions.length).toBeGreaterThan(0)
  expect(superLinear(expressions)).toEqual([])
})

test('every expression of the server takes linear time', () => {
  const literals = literalsIn(new URL('../../', import.meta.url))
  expect(literals.length).toBeGreaterThan(20)
  expect(superLinear(literals)).toEqual([])
})
