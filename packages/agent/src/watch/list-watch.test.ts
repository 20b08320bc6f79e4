import { expect, test } from 'vitest'
import type { ApiAnswer, ApiClient } from './api-client.ts'
import type { KubeObject } from './list-all.ts'
import { listAndWatch, type Change, type WatchState } from './list-watch.ts'

type Ask = { path: string; query: Record<string, string>; signal: AbortSignal }
type Reply = (ask: Ask) => Partial<Omit<ApiAnswer, 'body'>> & { chunks?: (string | Buffer)[]; isHanging?: boolean }

/** An API server with scripted replies; the client is stopped after the last one. */
async function follow(script: Reply[], { silenceSecondsMax = 360 } = {}) {
  const requests: Ask[] = []
  const lists: string[][] = []
  const changes: string[] = []
  const states: string[] = []
  const slept: number[] = []
  const stop = new AbortController()
  const client: ApiClient = {
    get: async (path, query, signal) => {
      requests.push({ path, query, signal })
      const reply = script[requests.length - 1]
      if (!reply) stop.abort()
      const { status = 200, retryAfter, chunks = [], isHanging = false } = reply?.({ path, query, signal }) ?? {}
      return { status, retryAfter, body: stream(chunks, isHanging, signal) }
    },
  }
  await listAndWatch<string>({
    client,
    path: async () => '/api/v1/pods',
    project: ({ metadata }: KubeObject) => (metadata?.name === 'ignored' ? undefined : metadata?.name),
    onList: (items) => lists.push(items),
    onChange: (change: Change<string>) =>
      changes.push(change.kind === 'set' ? `set ${change.object}` : `end ${change.uid}`),
    onState: ({ kind }: WatchState) => states.at(-1) === kind || states.push(kind),
    sleep: async (seconds) => void slept.push(seconds),
    random: () => 0.5,
    signal: stop.signal,
    silenceSecondsMax,
  })
  return { requests, lists, changes, states, slept }
}

async function* stream(chunks: (string | Buffer)[], isHanging: boolean, signal: AbortSignal) {
  for (const chunk of chunks) yield Buffer.from(chunk)
  if (!isHanging) return
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
}

const page = (names: string[], more: { version?: string; next?: string } = {}) => ({
  chunks: [
    JSON.stringify({
      metadata: { resourceVersion: more.version ?? '10', continue: more.next ?? '' },
      items: names.map((name) => ({ metadata: { name } })),
    }),
  ],
})
const event = (type: string, name: string, version: string) =>
  `${JSON.stringify({ type, object: { metadata: { name, uid: name, resourceVersion: version } } })}\n`
const bookmark = (version: string) =>
  `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: version } } })}\n`

test('lists in pages, watches from there, and continues after a watch ends', async () => {
  const { requests, lists, changes, states } = await follow([
    () => page(['a'], { next: 'token' }),
    () => page(['b']),
    () => ({ chunks: [event('ADDED', 'c', '11'), event('DELETED', 'a', '12'), bookmark('20')] }),
    () => ({ chunks: [event('MODIFIED', 'b', '21'), event('MODIFIED', 'ignored', '21')] }),
  ])
  expect(lists).toEqual([['a', 'b']])
  expect(changes).toEqual(['set c', 'end a', 'set b', 'end ignored'])
  expect(requests.map(({ query }) => [query.continue, query.resourceVersion])).toEqual([
    [undefined, undefined],
    ['token', undefined],
    [undefined, '10'],
    [undefined, '20'],
    [undefined, '21'],
  ])
  expect(requests[2]?.query).toMatchObject({ watch: '1', allowWatchBookmarks: 'true', timeoutSeconds: '300' })
  expect(states).toEqual(['synced'])
})

test.each<[string, Reply]>([
  ['as an answer', () => ({ status: 410, chunks: ['{"kind":"Status","code":410}'] })],
  ['in the middle of a watch', () => ({ chunks: ['{"type":"ERROR","object":{"code":410,"message":"too old"}}\n'] })],
])('410 %s: everything is listed again at once', async (_name, gone) => {
  const { lists, slept } = await follow([() => page(['a']), gone, () => page(['b'], { version: '90' })])
  expect(lists).toEqual([['a'], ['b']])
  expect(slept).toEqual([])
})

test('a server that often returns 410 is listed less and less often', async () => {
  const gone: Reply = () => ({ status: 410, chunks: ['{"kind":"Status","code":410}'] })
  const script = [() => page(['a']), gone, () => page(['a']), gone, () => page(['a']), gone, () => page(['a'])]
  expect((await follow(script)).slept).toEqual([1, 2])
})

test('an expired page continues with the token that the server offers', async () => {
  const offered = JSON.stringify({ code: 410, metadata: { continue: 'as it is now' } })
  const { lists, requests } = await follow([
    () => page(['a'], { next: 'token' }),
    () => ({ status: 410, chunks: [offered] }),
    () => page(['b'], { version: '30' }),
  ])
  expect(lists).toEqual([['a', 'b']])
  expect(requests[2]?.query.continue).toBe('as it is now')
  expect(requests[3]?.query.resourceVersion).toBe('30')
})

test('429 waits as long as the server asks; 5xx waits longer each time; then the watch continues', async () => {
  const { slept, states, requests, lists } = await follow([
    () => page(['a']),
    () => ({ status: 429, retryAfter: 7 }),
    () => ({ status: 503 }),
    () => ({ status: 503 }),
    () => ({ chunks: [bookmark('12')] }),
  ])
  expect(slept).toEqual([7, 2, 4])
  expect(states).toEqual(['synced', 'failing', 'synced'])
  expect(requests[4]?.query.resourceVersion).toBe('10')
  expect(lists).toEqual([['a']])
})

test('the wait of a server is limited', async () => {
  const refusals = [0, 86_400].map((retryAfter): Reply => () => ({ status: 429, retryAfter }))
  expect((await follow(refusals)).slept).toEqual([1, 300])
})

test('closed watches with events do not increase the wait', async () => {
  const cut = (version: string): Reply => {
    return () => ({ chunks: [bookmark(version), '{"type":"ADDED","obj'] })
  }
  expect((await follow([() => page(['a']), cut('11'), cut('12'), cut('13')])).slept).toEqual([1, 1, 1])
})

test('watches that end at once are restarted less and less often', async () => {
  const nothing: Reply = () => ({ chunks: [] })
  expect((await follow([() => page(['a']), nothing, nothing, nothing])).slept).toEqual([1, 2, 4])
})

test.each([
  [403, 'forbidden', [5, 10, 20, 40, 60, 60, 60, 60]],
  [404, 'absent', [5, 10, 20, 40, 80, 160, 300, 300]],
])('a kind that answers %i is %s, and is retried less and less often', async (status, state, waits) => {
  const replies = Array.from({ length: 8 }, (): Reply => () => ({ status }))
  const { states, slept, lists } = await follow([...replies, () => page(['a']), () => ({ chunks: [bookmark('11')] })])
  expect(states).toEqual([state, 'synced'])
  expect(slept).toEqual(waits)
  expect(lists).toEqual([['a']])
})

test('after a permission is revoked during a watch and granted again, everything is listed again', async () => {
  const { lists, states } = await follow([
    () => page(['a']),
    () => ({ status: 403 }),
    () => page(['b'], { version: '90' }),
    () => ({ chunks: [bookmark('91')] }),
  ])
  expect(lists).toEqual([['a'], ['b']])
  expect(states).toEqual(['synced', 'forbidden', 'synced'])
})

test('a permission to list without the permission to watch stays forbidden', async () => {
  const forbidden: Reply = () => ({ status: 403 })
  const { states } = await follow([() => page(['a']), forbidden, () => page(['a']), forbidden])
  expect(states).toEqual(['synced', 'forbidden'])
})

test('a partial list is rejected, and a partial event is watched again', async () => {
  const { lists, changes, requests } = await follow([
    () => ({ chunks: ['{"metadata":{"resourceVersion":"10"},"items":[{"meta'] }),
    () => page(['a']),
    () => ({ chunks: [event('ADDED', 'b', '11'), '{"type":"ADDED","obj'] }),
    () => ({ chunks: [event('ADDED', 'c', '12')] }),
  ])
  expect(lists).toEqual([['a']])
  expect(changes).toEqual(['set b', 'set c'])
  expect(requests[3]?.query.resourceVersion).toBe('11')
})

test('events are read wherever the stream is split, even within a character', async () => {
  const bytes = [...Buffer.from(event('ADDED', 'größe', '11'))].map((byte) => Buffer.from([byte]))
  const { changes } = await follow([() => page([]), () => ({ chunks: bytes })])
  expect(changes).toEqual(['set größe'])
})

test('a silent watch is closed and restarted', async () => {
  const { states, requests } = await follow(
    [() => page(['a']), () => ({ chunks: [bookmark('11')], isHanging: true }), () => ({ chunks: [bookmark('12')] })],
    { silenceSecondsMax: 0.05 },
  )
  expect(states).toEqual(['synced', 'failing', 'synced'])
  expect(requests).toHaveLength(4)
})
