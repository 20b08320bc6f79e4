import { expect, test } from 'vitest'
import { besideVpa, riskWords, savingOf } from './replay.ts'

const window = { from: '2026-11-01T00:00:00Z', to: '2026-11-15T00:00:00Z', hours: 336 }

const result = (who: 'current' | 'proposed' | 'vpa', minutes: number, usd: number | null) => ({
  who,
  cpu_millicores: 500,
  memory_bytes: null,
  minutes_short: minutes,
  ...{ volume_short: 0, oom_days: 0, risk: 'low' as const, estimated_savings: usd },
})

test('the current request saves nothing, and the others save what the evidence says', () => {
  expect(savingOf(result('current', 0, null), 308)).toBe(0)
  expect(savingOf(result('proposed', 24, 310), 308)).toBe(310)
  expect(savingOf(result('vpa', 822, 380), 308)).toBe(380)
  expect(savingOf(result('vpa', 822, null), 308)).toBeNull()
})

test('for older evidence the proposal uses the savings of the recommendation', () => {
  expect(savingOf(result('proposed', 24, null), 308)).toBe(308)
  expect(besideVpa([result('proposed', 24, null), result('vpa', 822, 380)], window)).toBe('')
})

test('the comparison with VPA shows both the savings and the shortage', () => {
  const results = [result('proposed', 24, 308), result('vpa', 822, 380)]
  expect(besideVpa(results, window)).toBe(
    'The proposal saves $72/month less than the VPA value. It is short of CPU for 798 fewer minutes in 14 days.',
  )
})

test('for a raised request, the comparison says what the proposal costs, with the minutes of the table', () => {
  const results = [result('proposed', 47.4, -114), result('vpa', 212.6, -23)]
  expect(besideVpa(results, window)).toBe(
    'The proposal costs $91/month more than the VPA value. It is short of CPU for 166 fewer minutes in 14 days.',
  )
})

test('there is no comparison if the savings are unknown or if there is no trade-off', () => {
  expect(besideVpa([result('proposed', 24, 308), result('vpa', 822, null)], window)).toBe('')
  expect(besideVpa([result('proposed', 24, 308), result('vpa', 822, 300)], window)).toBe('')
  expect(besideVpa([result('proposed', 24, 308), result('vpa', 24, 380)], window)).toBe('')
  expect(besideVpa([], window)).toBe('')
})

test('a recommendation with another risk than its replay says why', () => {
  const results = [result('proposed', 0, 10), { ...result('vpa', 0, 10), risk: 'high' as const }]
  expect(riskWords(results, { level: 'low', reasons: [] })).toBe('')
  expect(riskWords(results, { level: 'medium', reasons: ['Single pod: unavailable during the rollout'] })).toBe(
    'Back-test: low shortage risk. The risk of the recommendation is medium, because it also includes the rollout and the start of the pods: Single pod: unavailable during the rollout.',
  )
  const risky = [{ ...result('proposed', 0, 10), risk: 'medium' as const }]
  expect(riskWords(risky, { level: 'low', reasons: [] })).toBe(
    'Back-test: medium shortage risk. The risk of the recommendation is low.',
  )
  expect(riskWords([], { level: 'high', reasons: [] })).toBe('')
})
