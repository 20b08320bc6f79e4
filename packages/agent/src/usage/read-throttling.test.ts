import { expect, test } from 'vitest'
import { readThrottling } from './read-throttling.ts'
import type { Turn, UsageSource } from './usage-source.ts'

const sink = { counter: () => undefined, increase: () => undefined }

/** Runs this many turns with the given source. */
async function turnsOf(count: number, source: () => Partial<UsageSource> | undefined): Promise<number> {
  const stop = new AbortController()
  let [turns, slept] = [0, 0]
  const sleep = async (seconds: number) => {
    slept += seconds
    if ((turns += 1) === count) stop.abort()
  }
  await readThrottling({ source: source as () => UsageSource | undefined, sink, sleep }, stop.signal)
  return slept
}

test('every node has a turn within ten minutes, evenly spread', async () => {
  const seen: Turn[] = []
  const source = { throttling: async (_sink: unknown, turn: Turn) => void seen.push(turn) }
  expect(await turnsOf(60, () => source)).toBe(600)
  expect(seen.map(({ turn }) => turn)).toEqual(Array.from({ length: 60 }, (_, turn) => turn))
  expect(new Set(seen.map(({ turns }) => turns))).toEqual(new Set([60]))
})

test('a source that fails, has no throttling or is missing ends nothing', async () => {
  let requestCount = 0
  const refusing = {
    throttling: async () => {
      requestCount += 1
      throw new Error('forbidden')
    },
  }
  const sources = [undefined, {}, refusing, refusing]
  await turnsOf(4, () => sources.shift())
  expect(requestCount).toBe(2)
})
