import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readList } from './read-list.ts'

async function* cut(text: string, sizes: readonly number[]) {
  const bytes = Buffer.from(text)
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    yield bytes.subarray(at, (at += size))
    if (at >= bytes.length) return
  }
}

const entry = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))

test('a list is read wherever the stream is split, with everything around it', async () => {
  const anyList = fc.record({ items: fc.array(entry), kind: fc.string({ unit: 'grapheme' }), spaces: fc.nat(2) })
  await fc.assert(
    fc.asyncProperty(anyList, fc.array(fc.integer({ min: 1, max: 9 })), async ({ items, kind, spaces }, sizes) => {
      const around = { kind, metadata: { resourceVersion: '7', continue: '[{"' } }
      const entries: unknown[] = []
      const text = JSON.stringify({ ...around, items, after: { x: 1 } }, null, spaces)
      const rest = await readList(cut(text, sizes), (each) => entries.push(each))
      expect(entries).toEqual(JSON.parse(JSON.stringify(items)))
      expect(rest).toEqual({ ...around, items: [], after: { x: 1 } })
    }),
  )
})

test('a list may be nested deeper, or missing', async () => {
  const entries: unknown[] = []
  const text = JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [{ a: [1, 2] }, { b: 2 }] } })
  expect(await readList(cut(text, []), (each) => entries.push(each), 2)).toEqual({
    status: 'success',
    data: { resultType: 'vector', result: [] },
  })
  expect(entries).toEqual([{ a: [1, 2] }, { b: 2 }])
  expect(await readList(cut('{"items":null}', []), () => undefined)).toEqual({ items: null })
})

test('a partial list is rejected, wherever it ends', async () => {
  const text = JSON.stringify({ items: [{ a: 'x' }], metadata: {} })
  for (let length = 0; length < text.length; length += 1) {
    await expect(readList(cut(text.slice(0, length), []), () => undefined)).rejects.toThrow()
  }
})
