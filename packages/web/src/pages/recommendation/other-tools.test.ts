import { expect, test } from 'vitest'
import { otherToolsOf } from './other-tools.ts'

const result = (who: 'current' | 'proposed' | 'vpa' | 'krr', cpu: number | null, memory: number | null) => ({
  who,
  cpu_millicores: cpu,
  memory_bytes: memory,
  ...{ minutes_short: 0, volume_short: 0, oom_days: 0, risk: 'low' as const, estimated_savings: null },
})

const results = [result('current', 1500, 3e9), result('vpa', 422, 1.6e9), result('krr', 476, null)]

test('the lines of other tools come from the replay, if they have values', () => {
  expect(otherToolsOf({ backtest: { standing_days: 7, results } })).toEqual({
    areKnown: true,
    cpu: [
      { name: 'VPA', value: 422 },
      { name: 'KRR', value: 476 },
    ],
    memory: [{ name: 'VPA', value: 1.6e9 }],
  })
})

test('the lines of other tools can be hidden, and the switch stays visible', () => {
  expect(otherToolsOf({ backtest: { standing_days: 7, results } }, 'off')).toEqual({
    areKnown: true,
    cpu: [],
    memory: [],
  })
  expect(otherToolsOf({ backtest: { standing_days: null, results: [] } }).areKnown).toBe(false)
})
