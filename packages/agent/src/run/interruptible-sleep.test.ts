import { expect, onTestFinished, test, vi } from 'vitest'
import { Bell } from './interruptible-sleep.ts'

test('an endless wait keeps the process alive until it is stopped', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stop = new AbortController()
  const waiting = new Bell().wait(Number.POSITIVE_INFINITY, stop.signal)
  expect(vi.getTimerCount()).toBe(1)
  stop.abort()
  await waiting
  expect(vi.getTimerCount()).toBe(0)
})
