import { expect, test } from 'vitest'
import { Sampler } from './sampler.ts'

test('a missing source is retried soon, then less and less often', async () => {
  const stop = new AbortController()
  const slept: number[] = []
  const sampler = new Sampler({
    choose: async () => ({ why: 'metrics-server returns no container usage' }),
    sink: { cpuCounter: () => undefined, cpuRate: () => undefined, memory: () => undefined },
    everySeconds: () => 15,
    sleep: async (seconds) => {
      slept.push(seconds)
      if (slept.length === 7) stop.abort()
    },
    now: () => 0,
  })
  await sampler.run(stop.signal)
  expect(slept).toEqual([15, 30, 60, 120, 240, 300, 300])
  expect(sampler.condition).toMatchObject({ status: 'absent', reason: 'NoSource' })
})
