import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { readConfig } from './platform/config.ts'
import { Heartbeat, newBeats } from './platform/heartbeat.ts'
import { ServiceThread } from './service-thread.ts'

const file = new URL('../test/fixtures/blocking-thread.mjs', import.meta.url)

/** Two checks: the limits of a service are longer. */
const soon = 500
const never = 1e9

function aThread(way: string, limits: { runningMsMax: number; stoppingMsMax: number }) {
  const config = { ...readConfig({}), publicUrl: way, databaseUrl: '', secretKeys: [] }
  const fatal = vi.fn()
  return {
    fatal,
    thread: new ServiceThread({ config, log: Object.assign(pino({ level: 'silent' }), { fatal }), limits, file }),
  }
}

test.each(['loop', 'regex'])('a thread whose event loop is blocked by a %s is ended with a log line', async (way) => {
  const { thread, fatal } = aThread(way, { runningMsMax: soon, stoppingMsMax: never })
  expect(await thread.ended).toEqual({ kind: 'blocked', isTerminated: true })
  expect(fatal.mock.calls).toEqual([
    [{ blocked_seconds: expect.any(Number) as number, stopping: false }, expect.stringContaining('blocked') as string],
  ])
})

test('a blocked thread is ended after the shorter limit on stop', async () => {
  const { thread, fatal } = aThread('loop', { runningMsMax: never, stoppingMsMax: soon })
  await thread.started
  thread.stop()
  expect(await thread.ended).toEqual({ kind: 'blocked', isTerminated: true })
  expect(fatal).toHaveBeenCalledWith(expect.objectContaining({ stopping: true }), expect.any(String))
})

test('a thread that stops by itself does not count as blocked', async () => {
  const { thread, fatal } = aThread('none', { runningMsMax: never, stoppingMsMax: never })
  expect(await thread.started).toEqual({ kind: 'exists' })
  thread.stop()
  expect(await thread.ended).toEqual({ kind: 'stopped' })
  expect(fatal).not.toHaveBeenCalled()
})

test('checks without a beat count from the first beat on, and one beat resets the count', () => {
  const beats = newBeats()
  const count = new Int32Array(beats)
  const heartbeat = new Heartbeat(beats)
  const looks = (times: number) => Array.from({ length: times }, () => heartbeat.look())
  expect(looks(3)).toEqual([0, 0, 0])
  count[0] = 1
  expect(looks(3)).toEqual([0, 1, 2])
  count[0] = 2
  expect(looks(2)).toEqual([0, 1])
})
