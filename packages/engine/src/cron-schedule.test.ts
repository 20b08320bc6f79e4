import { expect, test } from 'vitest'
import { countRuns, parseCronSchedule, runsPerMonth } from './cron-schedule.ts'

function schedule(text: string) {
  const parsed = parseCronSchedule(text)
  if (parsed.kind !== 'ok') throw new Error(text)
  return parsed.value
}

test('runs per month of 730 hours', () => {
  expect(runsPerMonth(schedule('0 * * * *'))).toBeCloseTo(730)
  expect(runsPerMonth(schedule('@hourly'))).toBeCloseTo(730)
  expect(runsPerMonth(schedule('*/15 * * * *'))).toBeCloseTo(2920)
  expect(runsPerMonth(schedule('0 3 * * *'))).toBeCloseTo(730 / 24)
  expect(runsPerMonth(schedule('0 3 * * MON-FRI'))).toBeCloseTo((730 / 24) * (5 / 7), 2)
  expect(runsPerMonth(schedule('30 1,13 * * 7'))).toBeCloseTo(((730 / 24) * 2) / 7, 2)
  expect(runsPerMonth(schedule('0 0 1 JAN *'))).toBeCloseTo(730 / 24 / 365.25, 3)
  expect(runsPerMonth(schedule('CRON_TZ=Europe/Berlin 0 0 31 2 *'))).toBe(0)
})

test('restricted days of the month and of the week are alternatives', () => {
  // 1 March 2026 is a Sunday: the 1st and the five Mondays.
  const [from, to] = [new Date('2026-03-01'), new Date('2026-04-01')]
  expect(countRuns(schedule('0 0 1 * mon'), from, to)).toBe(6)
  expect(countRuns(schedule('0 0 1 * *'), from, to)).toBe(1)
})

test('the first minute of a window counts, the last does not', () => {
  const runs = (from: string, to: string) =>
    countRuns(schedule('10,40 * * * *'), new Date(`2026-03-01T${from}Z`), new Date(`2026-03-01T${to}Z`))
  expect(runs('00:10', '00:40')).toBe(1)
  expect(runs('00:10', '02:00')).toBe(4)
  expect(runs('00:11', '00:40')).toBe(0)
})

test('what is no schedule is refused', () => {
  for (const text of [
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '5-1 * * * *',
    '*/0 * * * *',
    '1-2-3 * * * *',
    'a * * * *',
    '@often',
    '* * * * 8',
    `${'1,'.repeat(400)}1 * * * *`,
  ])
    // prettier-ignore
    expect(parseCronSchedule(text).kind).toBe('invalid')
})
