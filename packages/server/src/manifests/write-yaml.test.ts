import { MANIFEST_FORMATS } from '@plimsoll/engine'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { corpus } from '../../test/manifests/corpus/corpus.ts'
import { wantedOf } from '../../test/manifests/from-source.ts'
import { render } from '../../test/manifests/render.ts'
import { byLibrary, writeYaml } from './write-yaml.ts'

describe('YAML is what the library would write, byte by byte', () => {
  test.each(MANIFEST_FORMATS)('for every file and every line to add of the corpus: %s', (format) => {
    const { files, apply } = render(format, corpus.flatMap(wantedOf), { base: 'deploy' })
    const documents = [
      ...files.filter(({ syntax }) => syntax === 'yaml'),
      ...apply.flatMap(({ lines }) => (lines === null ? [] : [{ content: lines, comment: [] }])),
    ]
    for (const { content, comment } of documents) expect(writeYaml(content, comment)).toBe(byLibrary(content, comment))
  })

  const words = fc.constantFrom('app', 'nvidia.com/gpu', '/a/b', '250m', '1.5', '7', 'name', 'yes', 'Off', 'a-', 'a/')
  const texts = fc.oneof(
    { arbitrary: words, weight: 8 },
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('a', 'B', '7', ' ', '\n', ':', '#', '-', '.', '"', "'", '{', '/', '\t', '|') }),
    fc.constantFrom(
      'ON',
      'null',
      '~',
      '1e3',
      '0x1f',
      '12:30',
      '2001-01-01',
      '=',
      '<<',
      '.5',
      '-',
      '---',
      '.inf',
      '0o7',
    ),
  )
  const leaves = fc.oneof({ arbitrary: texts, weight: 3 }, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaves, tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }))

  test('for whatever somebody names a thing', () => {
    fc.assert(
      fc.property(fc.dictionary(texts, value, { noNullPrototype: true }), (document) => {
        expect(writeYaml(document)).toBe(byLibrary(document))
        expect(writeYaml([document], ['Read this.', 'And this.'])).toBe(
          byLibrary([document], ['Read this.', 'And this.']),
        )
      }),
      { numRuns: 1000 },
    )
  })
})
