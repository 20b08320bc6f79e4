import { afterAll, expect, test } from 'vitest'
import { hostileDocuments } from '../../../test/hostile-yaml.ts'
import { source } from '../../../test/manifests/shown-workloads.ts'
import { sentinelOf } from '../prove-path.ts'
import { ParseThreads } from './parse-threads.ts'

const place = { namespace: 'shop', kind: 'Deployment', name: 'web', container: 'app' }
const sentinel = sentinelOf(['resources'])
const request = (rendered: string) => ({ rendered, place, sentinel })
const caller = 'usr_1'

/** A busy machine may take long; the test checks the result. */
const threads = new ParseThreads({ timeMsMax: 200_000, perCallerMax: 100 })
afterAll(() => threads.close())

/** The longest pause of the event loop as a share of the work: 1 if the work ran inside it. */
async function longestPause<T>(work: Promise<T>): Promise<{ share: number; result: T }> {
  const start = performance.now()
  let [last, longest, isDone] = [start, 0, false]
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setTimeout(tick, 1)
  }
  tick()
  const result = await work
  isDone = true
  const end = performance.now()
  return { share: Math.max(longest, end - last) / (end - start), result }
}

test('the event loop continues while hostile documents are parsed', async () => {
  const texts = Object.values(hostileDocuments)
  const { share, result } = await longestPause(
    Promise.all(texts.map(({ text }) => threads.prove(caller, request(text)))),
  )
  expect(result.map((proof) => (proof.kind === 'refused' ? proof.code : null))).toEqual(texts.map(({ code }) => code))
  expect(share).toBeLessThan(0.5)
})

test('a rendering is verified in its thread', async () => {
  const rendered = source('web').replace('cpu: "1"', `cpu: ${sentinel}`)
  expect(await threads.prove(caller, request(rendered))).toEqual({ kind: 'proved', chart: null })
})

test('a text that exceeds the time limit is aborted, and the next one is parsed', async () => {
  const hasty = new ParseThreads({ timeMsMax: 0, threadsMax: 1 })
  const long = hostileDocuments['as many different keys as fit']?.text ?? ''
  const answers = await Promise.all([hasty.prove(caller, request(long)), hasty.prove(caller, request(long))])
  expect(answers).toEqual([{ kind: 'too_slow' }, { kind: 'too_slow' }])
  await hasty.close()
})

test('a text that exceeds the memory limit is rejected', async () => {
  const small = new ParseThreads({ memoryMibMax: 16, timeMsMax: 200_000 })
  const text = hostileDocuments['as many different keys as fit']?.text ?? ''
  expect(await small.prove(caller, request(text))).toEqual({ kind: 'too_large' })
  await small.close()
})

test('texts beyond the queue limit are rejected at once', async () => {
  const narrow = new ParseThreads({ threadsMax: 1, waitingMax: 1 })
  const all = ['a: 1', 'b: 1', 'c: 1'].map((text) => narrow.prove(caller, request(text)))
  expect(await all[2]).toEqual({ kind: 'busy' })
  expect(await Promise.all(all.slice(0, 2))).toEqual([{ kind: 'nowhere' }, { kind: 'nowhere' }])
  await narrow.close()
  expect(await narrow.prove(caller, request('a: 1'))).toEqual({ kind: 'busy' })
})

test('a caller with too many texts is rejected, and other callers are not', async () => {
  const narrow = new ParseThreads({ threadsMax: 1, perCallerMax: 2 })
  const own = ['a: 1', 'b: 1', 'c: 1'].map((text) => narrow.prove(caller, request(text)))
  const other = narrow.prove('usr_2', request('d: 1'))
  expect(await own[2]).toEqual({ kind: 'busy' })
  expect(await Promise.all([own[0], own[1], other])).toEqual(Array(3).fill({ kind: 'nowhere' }))
  expect(await narrow.prove(caller, request('a: 1'))).toEqual({ kind: 'nowhere' })
  await narrow.close()
})
