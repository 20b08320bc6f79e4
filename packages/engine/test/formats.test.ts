import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { FORMATS } from '../src/manifests/format-list.ts'
import { MANIFEST_FORMATS } from '../src/vocabulary/manifest-formats.ts'

const root = join(import.meta.dirname, '../../..')

test('every format is listed under its own id, and has one file', () => {
  expect(Object.keys(FORMATS).sort()).toEqual([...MANIFEST_FORMATS].sort())
  for (const id of MANIFEST_FORMATS) expect(FORMATS[id].id).toBe(id)
  const files = readdirSync(join(root, 'packages/engine/src/manifests/formats'))
  expect(files.sort()).toEqual(MANIFEST_FORMATS.map((id) => `${id}.ts`).sort())
})

test('the README and the docs describe every format', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const docs = readFileSync(join(root, 'docs/manifests.md'), 'utf8')
  for (const id of MANIFEST_FORMATS) {
    expect(readme).toMatch(new RegExp(`^\\|.*\\| \`${id}\` +\\|`, 'm'))
    expect(docs).toMatch(new RegExp(`^### .*\`${id}\``, 'm'))
  }
})

test('no code checks the id of a format: the format decides', () => {
  const compared = new RegExp(`format [!=]== '(?:${MANIFEST_FORMATS.join('|')})'`)
  const found = readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })
    .filter(
      ({ name, parentPath }) =>
        /\.tsx?$/.test(name) && !/node_modules|\/dist|\/test\b|\.test\./.test(`${parentPath}/${name}`),
    )
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)))
    .filter((path) => compared.test(readFileSync(join(root, path), 'utf8')))
  expect(found).toEqual([])
})
