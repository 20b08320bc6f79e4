import { expect, test } from 'vitest'
import { fetchOf, Recorder, type Reply } from '../../test/recorder.ts'
import { START } from '../../test/scripted-observer.ts'
import { useDirectory } from '../../test/use-directory.ts'
import { openVirtualAgent } from '../../test/virtual-agent.ts'

const directory = useDirectory()

/** Answers with the scripted replies first, and then like a server. */
async function started(script: (Reply | 'no answer')[], readToken?: () => Promise<string>) {
  const recorder = new Recorder()
  const received: Record<string, string>[] = []
  const agent = await openVirtualAgent({
    directory: directory.path,
    ...(readToken ? { readToken } : {}),
    fetch: fetchOf((headers, body) => {
      received.push(headers)
      const reply = script[received.length - 1]
      if (reply === 'no answer') {
        recorder.receive(headers, body)
        throw new TypeError('fetch failed')
      }
      return reply ?? recorder.receive(headers, body)
    }),
  })
  recorder.now = agent.now
  await agent.reporter.start()
  return { ...agent, recorder, received, seqs: () => received.map((headers) => headers['plimsoll-seq']) }
}

test('accepted batches are not sent again, and an empty outbox sends nothing', async () => {
  const { sender, seqs, outbox } = await started([])
  expect(await sender.step()).toBe(0)
  expect(await sender.step()).toBe(Number.POSITIVE_INFINITY)
  expect(seqs()).toEqual(['1'])
  expect(outbox.pending()).toMatchObject({ live: 0, backlog: 0 })
})

test.each([408, 425, 429, 500, 502, 503])('%i is retried later with the same bytes', async (status) => {
  const { sender, received, recorder } = await started([{ status }])
  expect(await sender.step()).toBe(1)
  expect(sender.connection.kind).toBe('offline')
  expect(await sender.step()).toBe(1)
  expect(received).toHaveLength(1)
  expect(recorder.kept.size).toBe(0)
})

test('waits as long as the server says, and then continues', async () => {
  const { sender, pass, recorder } = await started([{ status: 429, headers: { 'retry-after': '17' } }])
  // Plus jitter.
  expect(await sender.step()).toBeCloseTo(17.85)
  await pass(17)
  expect(recorder.kept.size).toBe(0)
  await pass(1)
  expect(recorder.kept.size).toBe(1)
  expect(sender.connection.kind).toBe('connected')
})

test.each([
  ['0', 1.05],
  ['Infinity', 300],
  ['86400', 300],
])('for a wait of %s seconds, it waits %d', async (retryAfter, waits) => {
  const { sender } = await started([{ status: 503, headers: { 'retry-after': retryAfter } }])
  expect(await sender.step()).toBeCloseTo(waits)
})

test('a redirect is not followed, and its target is reported', async () => {
  const { sender } = await started([{ status: 301, headers: { location: 'https://elsewhere.example.com/' } }])
  await sender.step()
  expect(sender.connection).toMatchObject({
    kind: 'refused',
    detail: expect.stringContaining('redirect to https://elsewhere.example.com/') as string,
  })
})

test('the wait grows with every failure, up to a minute, with jitter', async () => {
  const { sender, advance } = await started(Array.from({ length: 20 }, () => ({ status: 503 })))
  const waits: number[] = []
  for (let attempt = 0; attempt < 8; attempt += 1) {
    waits.push(await sender.step())
    advance(waits.at(-1) ?? 0)
  }
  // Full jitter with a random value of 0.5.
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
})

test('a lost response does no harm, because the server already has the batch', async () => {
  const { sender, pass, recorder } = await started(['no answer'])
  await sender.step()
  await pass(60)
  expect(sender.counts).toMatchObject({ duplicates: 1, conflicts: 0 })
  expect(recorder.gaps()).toEqual([])
})

test('a batch that is too large is sent in two halves, and later batches are renumbered', async () => {
  const { pass, received, recorder, outbox } = await started([{ status: 413 }])
  await pass(200)
  expect(received.map((headers) => headers['plimsoll-part'])).toEqual([
    '1/1',
    '1/2',
    '2/2',
    undefined,
    undefined,
    undefined,
  ])
  expect(received.map((headers) => headers['plimsoll-seq'])).toEqual(['1', '1', '2', '3', '4', '5'])
  expect(recorder.gaps()).toEqual([])
  expect(outbox.losses.refused).toBe(0)
})

test('a batch above the size limit of the server is split before it is sent', async () => {
  const { pass, recorder, received, sender } = await started([])
  recorder.directives = { max_encoded_bytes: 700, sync_requested: true }
  await pass(190)
  const parts = received.flatMap((headers) => headers['plimsoll-part'] ?? [])
  const last = parts.length - 1
  expect(parts.slice(1).map((part) => part.split('/')[0])).toEqual(
    Array.from({ length: last }, (_each, index) => String(index + 1)),
  )
  expect(parts.at(-1)).toBe(`${last}/${last}`)
  expect(last).toBeGreaterThan(1)
  expect(recorder.gaps()).toEqual([])
  expect(sender.counts.requests).toBe(sender.counts.accepted)
})

test('a conflict is reported, and the rest continues', async () => {
  const { sender, pass, outbox } = await started([{ status: 409, body: { code: 'batch_conflict' } }])
  await pass(61)
  expect(sender.counts).toMatchObject({ conflicts: 1, accepted: 1 })
  expect(outbox.pending().live).toBe(0)
})

test.each([
  { status: 401, body: { code: 'unauthenticated' } },
  { status: 403, body: { code: 'forbidden' } },
  { status: 404, body: {} },
  { status: 409, body: { code: 'cluster_identity_mismatch' } },
  { status: 422, body: { code: 'unsupported_schema' } },
])('$status $body.code: all batches stay until the problem is fixed', async (reply) => {
  const { sender, pass, outbox, recorder } = await started(Array.from({ length: 6 }, () => reply))
  await pass(125)
  expect(sender.connection.kind).toBe('refused')
  expect(outbox.pending().live).toBe(3)
  await pass(1800)
  expect(sender.connection.kind).toBe('connected')
  expect(recorder.gaps()).toEqual([])
  const minutes = [...recorder.minutes()].filter(([minute]) => minute < START / 60 + 30)
  expect(minutes.map(([, times]) => times)).toEqual(Array(30).fill(1))
})

test('a rotated token is used with the next request, and a missing token is waited for', async () => {
  const tokens = ['pla_old', 'pla_new', new Error('The token file is missing.')]
  let reads = 0
  const { sender, received, pass } = await started([], async () => {
    const token = tokens[reads++] ?? 'pla_newest'
    if (token instanceof Error) throw token
    return token
  })
  await sender.step()
  await pass(62)
  await pass(60)
  expect(sender.connection).toMatchObject({
    kind: 'refused',
    // No server was asked, so the message is unchanged.
    detail: 'The token file is missing.',
  })
  await pass(300)
  expect(received.slice(0, 3).map(({ authorization }) => authorization)).toEqual([
    'Bearer pla_old',
    'Bearer pla_new',
    'Bearer pla_newest',
  ])
})

test('sends nothing after its cluster was deleted', async () => {
  const { sender, pass, received } = await started([{ status: 410 }])
  await pass(600)
  expect(sender.connection.kind).toBe('gone')
  expect(received).toHaveLength(1)
})

test('retries are counted per batch: four rejections of one batch do not count for the next', async () => {
  const { pass, outbox, recorder, received } = await started([
    ...Array.from({ length: 4 }, () => ({ status: 400 })),
    { status: 409, body: { code: 'batch_conflict' } },
    ...Array.from({ length: 4 }, () => ({ status: 400 })),
  ])
  await pass(3600)
  expect(outbox.losses.refused).toBe(0)
  expect(received.slice(5, 10).map((headers) => headers['plimsoll-seq'])).toEqual(Array(5).fill('2'))
  expect(recorder.kept.size).toBeGreaterThan(1)
})

test('a batch that is never readable is given up after some retries, and reported', async () => {
  const { pass, outbox, recorder } = await started(Array.from({ length: 5 }, () => ({ status: 400 })))
  await pass(3600)
  expect(outbox.losses.refused).toBe(1)
  expect(recorder.gaps()).toHaveLength(1)
})
