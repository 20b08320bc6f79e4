import { expect, test } from 'vitest'
import { WorkQueue, type WorkLimits, type WorkRequester } from './work-queue.ts'

const limits: WorkLimits = { runningMax: 2, waitingMax: 3, perCallerMax: 4 }

const from = (callerId: string, signal = new AbortController().signal): WorkRequester => ({ callerId, signal })

/** A queue whose work ends on demand of the test. */
function aQueue(change: Partial<WorkLimits> = {}) {
  const queue = new WorkQueue({ ...limits, ...change })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, requester = from(name)) =>
    queue.run(requester, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  return { queue, run, started, end: (name: string) => ends.get(name)?.() }
}

/** Runs everything that is ready. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('at most the permitted pieces run at a time, in the order of the requests', async () => {
  const { run, started, end } = aQueue()
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name))
  await turn()
  expect(started).toEqual(['a', 'b'])
  end('b')
  await turn()
  expect(started).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd', 'e']) {
    end(name)
    await turn()
  }
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a request beyond the queue limit is rejected', async () => {
  const { run } = aQueue()
  for (const name of ['a', 'b', 'c', 'd', 'e']) void run(name)
  await expect(run('f')).rejects.toMatchObject({
    code: 'service_unavailable',
    extras: { headers: { 'retry-after': '5' } },
  })
})

test('a caller with too many requests is rejected, and other callers are not', async () => {
  const { run, started, end } = aQueue({ perCallerMax: 2 })
  const own = [run('a', from('usr_1')), run('b', from('usr_1'))]
  await expect(run('c', from('usr_1'))).rejects.toMatchObject({ code: 'service_unavailable' })
  const other = run('d', from('usr_2'))
  end('a')
  end('b')
  await Promise.all(own)
  expect(started).toEqual(['a', 'b', 'd'])
  void run('e', from('usr_1'))
  await turn()
  expect(started).toEqual(['a', 'b', 'd', 'e'])
  end('d')
  expect(await other).toBe('d')
})

test('a waiting request whose caller disconnects leaves the queue and never runs', async () => {
  const { run, started, end } = aQueue({ runningMax: 1, perCallerMax: 2 })
  const leaving = new AbortController()
  const first = run('a', from('usr_1'))
  const second = run('b', from('usr_1', leaving.signal))
  const third = run('c', from('usr_2'))
  leaving.abort()
  await expect(second).rejects.toMatchObject({ code: 'malformed_request' })
  const fourth = run('d', from('usr_1'))
  for (const name of ['a', 'c', 'd']) {
    end(name)
    await turn()
  }
  expect(await Promise.all([first, third, fourth])).toEqual(['a', 'c', 'd'])
  expect(started).toEqual(['a', 'c', 'd'])
  await expect(run('e', from('usr_1', AbortSignal.abort()))).rejects.toMatchObject({ code: 'malformed_request' })
})

test('a caller without running work goes before a caller with running work', async () => {
  const { run, started, end } = aQueue()
  const own = ['a', 'b', 'c'].map((name) => run(name, from('usr_1')))
  const other = run('d', from('usr_2'))
  await turn()
  end('a')
  await turn()
  expect(started).toEqual(['a', 'b', 'd'])
  end('d')
  await turn()
  expect(started).toEqual(['a', 'b', 'd', 'c'])
  for (const name of ['b', 'c']) end(name)
  await Promise.all([...own, other])
})

test('failed work frees its slot', async () => {
  const { queue, run, end } = aQueue({ runningMax: 1 })
  const failed = queue.run(from('usr_1'), () => Promise.reject(new Error('no')))
  const next = run('a')
  await expect(failed).rejects.toThrow('no')
  end('a')
  expect(await next).toBe('a')
})
