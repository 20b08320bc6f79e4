import { expect, test } from 'vitest'
import { BatchReader } from './batch-reader.ts'
import { BatchWriter } from './batch-writer.ts'
import { parseBatch } from './parse-batch.ts'
import { bytesOf, holdsStorableTexts } from './stored-text.ts'

const agent = { version: '1', kubernetes_version: '1.35', usage_source: 'none' as const }

/** Two namespaces; one has this name. */
function namespacesRead(name: string) {
  const writer = new BatchWriter()
  writer.addNamespace({ ref: 1, uid: 'a', from: 1, name, labels: {} })
  writer.addNamespace({ ref: 2, uid: 'b', from: 1, name: 'shop', labels: {} })
  const parsed = parseBatch(JSON.stringify(writer.finish(agent, 10)))
  if (parsed.kind === 'unreadable') throw new Error(parsed.reason)
  const reader = new BatchReader(parsed.batch)
  return { names: reader.namespaces().map((each) => each.name), rejections: reader.rejections }
}

test.each([
  ['as long as Kubernetes allows', 'x'.repeat(253)],
  ['in another script', 'магазин'],
])('a name %s is read', (_what, name) => {
  expect(namespacesRead(name)).toEqual({ names: [name, 'shop'], rejections: [] })
})

test.each([
  ['of 254 bytes', 'x'.repeat(254)],
  ['of 4,096 characters', 'x'.repeat(4096)],
  ['of 85 characters of three bytes', '店'.repeat(85)],
  ['with a NUL', 'a\0b'],
  ['with half a character', 'a\ud800'],
  ['with a line break', 'a\nb'],
])('a name %s drops only its own record', (_what, name) => {
  const { names, rejections } = namespacesRead(name)
  expect(names).toEqual(['shop'])
  expect(rejections).toEqual([
    { table: 'namespaces', index: 0, reason: expect.stringContaining('is not a name') as string },
  ])
})

test('the byte count is never too low', () => {
  for (const text of ['', 'plain', 'ü', '店', '🦊', 'mixed 店']) {
    expect(bytesOf(text)).toBeGreaterThanOrEqual(new TextEncoder().encode(text).length)
  }
})

test('texts are checked at all depths', () => {
  expect(holdsStorableTexts({ a: [{ b: 'x' }, 1, null] })).toBe(true)
  expect(holdsStorableTexts({ a: [{ b: 'x\0' }] })).toBe(false)
  expect(holdsStorableTexts({ a: [{ 'b\ud800': 1 }] })).toBe(false)
})

test('a value that nests too deep is not stored, and drops only its own record', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`
  const body = JSON.stringify(new BatchWriter().finish(agent, 10))
  const deepShape = parseBatch(body.replace('"shapes":[]', `"shapes":[${nested(100_000)}]`))
  expect(deepShape).toMatchObject({ kind: 'batch', batch: { shapes: [null] } })
  const deepAgent = parseBatch(body.replace('"agent":{', `"agent":{"conditions":${nested(100_000)},`))
  expect(deepAgent).toEqual({ kind: 'unreadable', reason: 'agent does not match the schema' })
})

test('an unstorable shape is missing only for its pods; an unstorable agent makes the batch unreadable', () => {
  const writer = new BatchWriter()
  const pod = (ref: number, container: string) =>
    writer.addPod({
      ref,
      uid: `pod-${ref}`,
      from: 1,
      name: `pod-${ref}`,
      namespace: 'shop',
      nodeRef: 0,
      boundAt: 0,
      phase: 'pending',
      shape: { containers: [{ name: container, kind: 'app' }] },
      workloadKind: 'Pod',
      workloadName: `pod-${ref}`,
      labels: {},
    })
  pod(1, 'fine')
  pod(2, 'a\0b')
  const parsed = parseBatch(JSON.stringify(writer.finish(agent, 10)))
  if (parsed.kind === 'unreadable') throw new Error(parsed.reason)
  expect(new BatchReader(parsed.batch).pods().map(({ uid }) => uid)).toEqual(['pod-1'])

  const strange = new BatchWriter().finish({ ...agent, version: '1\0' }, 10)
  expect(parseBatch(JSON.stringify(strange))).toMatchObject({ kind: 'unreadable' })
})
