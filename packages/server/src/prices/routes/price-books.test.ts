import { readFileSync } from 'node:fs'
import { priceBookBytesMax, type LoadedPriceBook, type PriceBookEntry } from '@plimsoll/contract'
import { expect, test, vi } from 'vitest'
import { aPriceBook } from '../../../test/a-price-book.ts'
import { entriesOf } from '../../../test/audit-trail.ts'
import { aFoldedCluster } from '../../../test/folded-cluster.ts'
import { nodeCosts, oneNode } from '../../../test/stored-hours.ts'
import { patience } from '../../../test/patience.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { batchesOf, endSecond, minutes } from '@plimsoll/pipeline/testing'
import { longestTurnMs } from '../../../test/longest-turn.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { isWaitingForLock } from '../../../test/waiting-for-lock.ts'
import { lockPriceBooks } from '../queries/price-books.ts'
import { priceBookFile } from '../../directories.ts'
import { fold } from '../../ingest/jobs/fold.ts'
import { reprice } from '../../ingest/jobs/reprice.ts'
import { judgeInThread, judgePriceBook } from '../judge-price-book.ts'

vi.mock(import('../judge-price-book.ts'), { spy: true })

const t = useTestApp()
const url = '/api/v1/price-books'

const load = ({ bearer }: Person, payload: Buffer | string, headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...bearer, 'content-type': 'application/octet-stream', ...headers },
  })

const list = async ({ bearer }: Person) =>
  (await send(t, { url, headers: bearer })).json<{ price_books: PriceBookEntry[] }>().price_books

test('an unusable price list is rejected with all its errors', async () => {
  const admin = await aPerson(t)
  const [inUse] = await list(admin)
  const notABook = await load(admin, 'not a book')
  expect(notABook.statusCode).toBe(422)
  expect(notABook.json()).toMatchObject({
    code: 'price_book_refused',
    problems: ['the file is not brotli, truncated or too large'],
  })
  const older = await load(admin, aPriceBook({ asOf: '2020-01-01' }))
  expect(older.json<{ problems: string[] }>().problems).toEqual([
    `the date 2020-01-01 is older than the price list in use (${inUse?.as_of})`,
  ])
  const absurd = await load(admin, aPriceBook({ awsTimes: 1000 }))
  expect(absurd.statusCode).toBe(422)
  expect((await load(admin, '')).statusCode).toBe(422)
  expect(await list(admin)).toEqual([inUse])
})

test('the price list of the release is active until a newer one is loaded', async () => {
  t.clock.now = new Date('2026-10-01T12:34:56Z')
  const admin = await aPerson(t)
  const before = await list(admin)
  expect(before).toMatchObject([{ origin: 'release', in_use: true, effective_from: '1970-01-01T00:00:00.000Z' }])
  const response = await load(admin, aPriceBook({ awsTimes: 3, asOf: '2026-09-30' }))
  expect(response.statusCode).toBe(201)
  const { changes, ...loaded } = response.json<LoadedPriceBook>()
  expect(loaded).toMatchObject({
    as_of: '2026-09-30',
    origin: 'loaded',
    in_use: true,
    effective_from: '2026-10-01T12:00:00.000Z',
  })
  expect(changes).toMatchObject({ added: 0, removed: 0 })
  expect(changes.changed).toBeGreaterThan(10_000)
  expect(await list(admin)).toEqual([loaded, { ...before[0], in_use: false }])
  expect(await entriesOf(t, response)).toMatchObject([
    {
      action: 'price_book.load',
      target: { type: 'price_book', id: loaded.version },
      detail: { after: before[0]?.version },
    },
  ])
})

test('an existing price list gets 200 and changes nothing', async () => {
  const admin = await aPerson(t)
  const bytes = aPriceBook({ awsTimes: 4, asOf: '2026-10-05' })
  expect((await load(admin, bytes)).statusCode).toBe(201)
  const books = await list(admin)
  const again = await load(admin, bytes)
  expect(again.statusCode).toBe(200)
  expect(await entriesOf(t, again)).toEqual([])
  expect(await list(admin)).toEqual(books)
})

test('a repeated request with its Idempotency-Key gets the first response, without another check', async () => {
  const admin = await aPerson(t)
  const once = { 'idempotency-key': 'load-the-list' }
  const bytes = aPriceBook({ awsTimes: 4, asOf: '2026-10-06' })
  const first = await load(admin, bytes, once)
  expect(first.statusCode).toBe(201)
  vi.mocked(judgeInThread).mockClear()
  const again = await load(admin, bytes, once)
  expect([again.statusCode, again.headers['idempotency-replayed'], again.json()]).toEqual([201, 'true', first.json()])
  expect(judgeInThread).not.toHaveBeenCalled()
  const other = await load(admin, aPriceBook({ awsTimes: 4, asOf: '2026-10-07' }), once)
  expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
})

test('hours before a newer price list keep their prices, hours after have the new ones', async () => {
  const cluster = await aFoldedCluster(t, oneNode)
  const admin = await aPerson(t)
  const [old] = await list(admin)
  const [before] = await nodeCosts(t, cluster.clusterId)
  // Ten minutes into the third hour.
  const book = aPriceBook({ awsTimes: 5, asOf: '2026-11-01' })
  expect((await load(admin, book)).statusCode).toBe(201)
  await sendBatch(t, cluster.agentToken, laterHour(), { seq: minutes / 10 + 1 })
  t.clock.now = new Date((endSecond + 80 * 60) * 1000)
  await fold(t.deps, cluster)
  await reprice(t.deps)
  expect(await nodeCosts(t, cluster.clusterId)).toEqual([before, before, 1.15])
  const [, previous] = await list(admin)
  expect(previous?.version).toBe(old?.version)
})

test('a body with another content type or size is not read', async () => {
  const admin = await aPerson(t)
  const json = await load(admin, '{}', { 'content-type': 'application/json' })
  expect([json.statusCode, json.json<{ detail: string }>().detail]).toEqual([
    415,
    'Send the price list file as application/octet-stream.',
  ])
  expect((await load(admin, Buffer.alloc(priceBookBytesMax + 1))).statusCode).toBe(413)
})

test('a price list is validated outside of the event loop', async () => {
  const admin = await aPerson(t)
  const bytes = readFileSync(priceBookFile)
  const held: number[] = []
  for (let run = 0; run < 3; run += 1) held.push(await longestTurnMs(() => load(admin, bytes)))
  const judging = await longestTurnMs(async () => judgePriceBook({ bytes, inUse: bytes }))
  expect(Math.min(...held)).toBeLessThan(judging / 2)
})

test('a price list is validated without the lock, and of two concurrent ones the second gets a retry', async () => {
  const admin = await aPerson(t)
  const uploads = await t.db.transaction().execute(async (tx) => {
    await lockPriceBooks(tx)
    const both = [2, 3].map(async (awsTimes) => await load(admin, aPriceBook({ awsTimes, asOf: '2026-11-06' })))
    await vi.waitUntil(() => isWaitingForLock(t.db, 2), { ...patience, interval: 20 })
    expect((await load(admin, 'not a book')).statusCode).toBe(422)
    return both
  })
  const statuses = (await Promise.all(uploads)).map(({ statusCode }) => statusCode)
  expect(statuses.toSorted()).toEqual([201, 412])
})

test('a price list that takes too long to read is rejected with the limit', async () => {
  const bytes = readFileSync(priceBookFile)
  expect(await judgeInThread({ bytes, inUse: bytes }, { memoryMibMax: 512, timeMsMax: 1 })).toMatchObject({
    kind: 'refused',
    problems: ['parsing takes longer than 0.001 s'],
  })
})

test('loading requires write access to the prices of all clusters', async () => {
  const reader = await aPerson(t, await aRole(t, ['billing:read']))
  const narrowed = await aPerson(t, await aRole(t, ['billing:read', 'billing:write'], { clusters: [] }))
  expect((await list(reader)).length).toBeGreaterThan(0)
  expect((await load(reader, 'a book')).json()).toMatchObject({ required_permission: 'billing:write' })
  expect((await load(narrowed, 'a book')).json()).toMatchObject({ code: 'role_narrowed' })
  expect((await load(await aPerson(t, 'editor'), 'a book')).statusCode).toBe(403)
})

/** The node still exists an hour later; nothing else was measured. */
function laterHour() {
  const [batch] = batchesOf({ nodes: [], pods: [] }).slice(-1)
  if (!batch) throw new Error('there is no batch')
  return { ...batch, observed_at: endSecond + 60 * 60 }
}
