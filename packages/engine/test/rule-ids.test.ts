import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { RULES } from '../src/rules/catalogue.ts'

const root = join(import.meta.dirname, '../../..')

/** Tests, docs and migrations may name rules: a test states a promise, and a migration never changes. */
const skipped = /node_modules|\/dist|\/migrations|packages\/[^/]+\/test\/|\.test\.tsx?$/
const read = /\.(ts|tsx|js|mjs|cjs|sql)$/

const sourceFiles = ['packages', 'bench', 'scripts', 'deploy'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => read.test(path) && !skipped.test(path)),
)

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

const fileOf = (id: string) => `packages/engine/src/rules/catalogue/${id.replaceAll('_', '-')}.ts`

test('a rule id occurs in the file of its rule and nowhere else', () => {
  expect(sourceFiles.length).toBeGreaterThan(500)
  const found = sourceFiles.flatMap((path) => {
    const text = textOf(path)
    return RULES.filter(({ id }) => path !== fileOf(id) && new RegExp(`\\b${id}\\b`).test(text)).map(
      ({ id }) => `${path}: ${id}`,
    )
  })
  expect(found).toEqual([])
})

test('the catalogue has one file for each rule and nothing else', () => {
  const files = sourceFiles.filter((path) => path.startsWith('packages/engine/src/rules/catalogue/'))
  expect(files.sort()).toEqual(RULES.map(({ id }) => fileOf(id)).sort())
  for (const { id } of RULES) expect(textOf(fileOf(id))).toContain(`id: '${id}'`)
})

test('short names fit into a column and differ', () => {
  const names = RULES.map(({ shortName }) => shortName)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name.length).toBeLessThanOrEqual(20)
})
