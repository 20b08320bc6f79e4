import { expect, test } from 'vitest'
import { hostileDocuments } from '../../../test/hostile-yaml.ts'
import { readYaml } from './read-yaml.ts'

test.each(Object.entries(hostileDocuments))('%s is parsed or rejected', (_name, { text, code }) => {
  const read = readYaml(text)
  expect(read.kind === 'refused' ? read.code : null).toBe(code)
})

test('documents are parsed as YAML 1.1, with anchors and merge keys', () => {
  const text = 'a: &a {x: 1}\nb: {<<: *a, <<: {z: 2}, w: "on"}\n---\n- 0x10\n'
  expect(readYaml(text)).toEqual({
    kind: 'documents',
    documents: [{ a: { x: 1 }, b: { x: 1, z: 2, w: 'on' } }, [16]],
  })
})

test('equal keys in different maps are not duplicates', () => {
  expect(readYaml('- {a: 1}\n- {a: 1, b: {a: 1}}\n').kind).toBe('documents')
  expect(readYaml('- {a: 1, "a": 2}\n')).toEqual({
    kind: 'refused',
    code: 'duplicate_key',
    detail: 'has the key "a" twice in one map',
  })
})
