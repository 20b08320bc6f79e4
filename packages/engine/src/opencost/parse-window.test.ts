import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseOpencostStep, parseOpencostWindow } from './parse-window.ts'

// A Wednesday.
const now = new Date('2026-11-18T17:36:20Z')

const windowOf = (text: string) => {
  const parsed = parseOpencostWindow(text, now)
  return parsed.kind === 'invalid' ? parsed.reason : [parsed.value.from, parsed.value.to].map((at) => at.toISOString())
}

const hour = (text: string) => `2026-${text}:00:00.000Z`

test.each([
  ['today', '11-18T00', '11-19T00'],
  ['yesterday', '11-17T00', '11-18T00'],
  ['week', '11-15T00', '11-18T18'],
  ['lastweek', '11-08T00', '11-15T00'],
  ['month', '11-01T00', '11-18T18'],
  ['lastmonth', '10-01T00', '11-01T00'],
  ['7d', '11-12T00', '11-19T00'],
  ['1d', '11-18T00', '11-19T00'],
  ['1w', '11-12T00', '11-19T00'],
  ['2h', '11-18T16', '11-18T18'],
  ['45m', '11-18T16', '11-18T18'],
  ['1d offset 1d', '11-16T17', '11-17T18'],
  ['2026-11-01T00:00:00Z,2026-11-03T12:30:00Z', '11-01T00', '11-03T13'],
  ['2026-11-01T01:00:00+01:00,2026-11-02T00:00:00Z', '11-01T00', '11-02T00'],
  ['1793491200,1793577600', '11-01T00', '11-02T00'],
  ['1793491200-1793577600', '11-01T00', '11-02T00'],
])('%s is the window from %s to %s', (text, from, to) => {
  expect(windowOf(text)).toEqual([hour(from), hour(to)])
})

test.each(['', '7', '0d', 'd', '7y', 'constructor', '2026-13-01T00:00:00Z,2026-11-02T00:00:00Z', '5,3', '7d offset'])(
  'the window %j is refused',
  (text) => {
    expect(windowOf(text)).toEqual(expect.any(String))
  },
)

test('a window in the future is refused', () => {
  expect(windowOf('2027-01-01T00:00:00Z,2027-01-02T00:00:00Z')).toBe('begins in the future')
})

test('every accepted window has whole hours and is not empty', () => {
  const texts = fc
    .tuple(fc.nat(500), fc.constantFrom('m', 'h', 'd', 'w'), fc.nat(40), fc.constantFrom('m', 'h', 'd', 'w'))
    .map(([count, unit, back, backUnit]) => `${count}${unit}${back === 0 ? '' : ` offset ${back}${backUnit}`}`)
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseOpencostWindow(text, now)
      if (parsed.kind === 'invalid') {
        expect(text).toMatch(/^0/)
        return
      }
      const { from, to } = parsed.value
      expect([from.getTime() % 3_600_000, to.getTime() % 3_600_000]).toEqual([0, 0])
      expect(from < to).toBe(true)
    }),
  )
})

test('steps are durations', () => {
  expect(['1h', '1d', '2w', '1x', ''].map(parseOpencostStep)).toEqual([
    ...[3_600_000, 86_400_000, 1_209_600_000],
    ...[undefined, undefined],
  ])
})
