import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daySpansOf, type SummedDay } from './day-spans.ts'

const at = (day: number) => new Date(Date.UTC(2027, 0, 1 + day))

/** Days with data. A day either continues the running totals of the day before, starts new ones, or has none. */
const history = fc
  .array(
    fc.record({ gap: fc.nat(2), kind: fc.constantFrom('continued', 'continued', 'continued', 'started', 'none') }),
    {
      maxLength: 40,
    },
  )
  .map((entries) => {
    const days: SummedDay[] = []
    let number = 0
    for (const { gap, kind } of entries) {
      number += 1 + (gap === 2 ? 1 : 0)
      const since = days.at(-1)?.runningSince ?? null
      const runningSince = kind === 'none' ? null : kind === 'continued' && since ? since : at(number)
      days.push({ day: at(number), runningSince })
    }
    return days
  })

/** How often the spans count each day of the history. */
function countDays(days: readonly SummedDay[], spans: ReturnType<typeof daySpansOf>): Map<number, number> {
  const counts = new Map<number, number>()
  const add = (day: Date, weight: number) => counts.set(day.getTime(), (counts.get(day.getTime()) ?? 0) + weight)
  const addTotal = (total: Date, weight: number) => {
    const since = days.find(({ day }) => day.getTime() === total.getTime())?.runningSince
    if (!since || since.getTime() === total.getTime()) throw new Error('this day has no stored total')
    for (const { day } of days) if (day >= since && day <= total) add(day, weight)
  }
  for (const day of spans.days) add(day, 1)
  for (const day of spans.lessDays) add(day, -1)
  for (const day of spans.totals) addTotal(day, 1)
  for (const day of spans.lessTotals) addTotal(day, -1)
  return counts
}

test('the spans of a window count each of its days once, and no other day', () => {
  fc.assert(
    fc.property(history, fc.nat(40), fc.nat(40), (days, first, length) => {
      const window = days.slice(first, first + length)
      const counts = countDays(days, daySpansOf(window, days[first - 1]))
      const counted = [...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => a - b)
      expect(counted).toEqual(window.map(({ day }) => [day.getTime(), 1]))
    }),
  )
})

test('thirty days over the end of a month need three totals', () => {
  const days = Array.from({ length: 45 }, (_, day) => ({ day: at(day), runningSince: day < 31 ? at(0) : at(31) }))
  const spans = daySpansOf(days.slice(10, 40), days[9])
  expect(spans).toEqual({ days: [], totals: [at(39), at(30)], lessDays: [], lessTotals: [at(9)] })
})
