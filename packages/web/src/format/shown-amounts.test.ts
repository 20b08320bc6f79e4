import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sortKeyOf } from '../parts/sort-key.ts'
import {
  axisDollars,
  addedUpChanges,
  addedUpWithin,
  addedUp,
  billBridge,
  billSteps,
  dollars,
  dollarsOrDash,
} from './money.ts'
import { bytes, cores, count, days, percentNumber, quantity, signedPercent, wholePercent } from './quantity.ts'

/** Dollars with the six decimals of the API. */
const usd = fc.integer({ min: -5_000_000, max: 5_000_000 }).map((value) => value / 1000)
const savings = fc.array(usd, { maxLength: 10 })

/** The amount that a reader reads. */
const read = (text: string | null) => Number((text ?? '').replace('−', '-').replaceAll(/[$,+<]/g, ''))
const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)

describe('the bill of a plan', () => {
  test('each step ends at the bill before it plus its change, as shown', () => {
    fc.assert(
      fc.property(usd.map(Math.abs), savings, (runRate, each) => {
        const { now, changes, after } = billSteps(runRate, each)
        let bill = read(now)
        // "<$1" is more than nothing, but adds nothing to whole dollars.
        changes.forEach((text, at) => {
          if (text.includes('<') || (after[at] ?? '').includes('<')) return
          bill += read(text)
          expect(read(after[at] ?? null)).toBeCloseTo(bill, 6)
        })
      }),
    )
  })

  test('without a run rate, only the changes are known', () => {
    const { now, after, changes, total } = billSteps(null, [100, -20])
    expect({ now, after, changes, total }).toEqual({
      ...{ now: null, after: [null, null], changes: ['−$100.00', '+$20.00'], total: '−$80.00' },
    })
  })
})

describe('the bridge of two bills', () => {
  test('the first bill and all changes add up to the last bill, to the cent', () => {
    fc.assert(
      fc.property(usd.map(Math.abs), savings, (before, changes) => {
        const shown = billBridge(before, changes)
        expect(read(shown.before) + read(shown.total)).toBeCloseTo(read(shown.now), 6)
        expect(sum(shown.changes.map(read))).toBeCloseTo(read(shown.total), 6)
        const halves = changes.map((usd) => [usd / 3, (2 * usd) / 3])
        for (const [at, parts] of halves.entries()) {
          expect(sum(shown.within(at, parts).map(read))).toBeCloseTo(read(shown.changes[at] ?? ''), 6)
        }
      }),
    )
  })

  test('an increase has a plus sign and a decrease a minus sign', () => {
    expect(billBridge(100, [5, -7.5, 0])).toMatchObject({
      ...{ before: '$100.00', changes: ['+$5.00', '−$7.50', '$0.00'], total: '−$2.50', now: '$97.50' },
    })
  })
})

describe('parts of a part', () => {
  test('add up to the part as it is shown in its sum', () => {
    const parts = fc.array(usd.map(Math.abs), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(parts, parts, (inner, others) => {
        const exact = [sum(inner), ...others]
        const shown = addedUpWithin(exact, 0, inner)
        if (shown.some((each) => each.includes('<'))) return
        expect(sum(shown.map(read))).toBeCloseTo(read(addedUp(exact).parts[0] ?? ''), 6)
      }),
    )
  })

  test('a rise has a plus sign only if it is more than $0', () => {
    expect(addedUpChanges([12, -3, 0])).toEqual({ parts: ['+$12.00', '−$3.00', '$0'], total: '+$9.00' })
    expect(addedUpChanges([0.001]).total).toBe('$0')
  })
})

describe('a shown amount', () => {
  test('is never further from the exact amount than half of its last digit', () => {
    fc.assert(
      fc.property(usd, (value) => {
        expect(Math.abs(read(dollars(value)) - value)).toBeLessThanOrEqual(Math.abs(value) >= 10 ? 0.5001 : 0.00501)
      }),
    )
  })

  test('of an axis is short unless two ticks would look the same', () => {
    expect([1000, 2000].map(axisDollars([1000, 2000]))).toEqual(['$1k', '$2k'])
    expect([1000, 1025].map(axisDollars([1000, 1025]))).toEqual(['$1,000', '$1,025'])
  })

  test('an unknown amount is a dash', () => {
    expect([dollarsOrDash(null), dollarsOrDash(0)]).toEqual(['–', '$0'])
  })

  test('a table sorts shown amounts like the exact amounts', () => {
    fc.assert(
      fc.property(usd, usd, (a, b) => {
        if (dollars(a) === dollars(b)) return
        expect(Math.sign(Number(sortKeyOf(dollars(a))) - Number(sortKeyOf(dollars(b))))).toBe(Math.sign(a - b))
      }),
    )
  })
})

describe('a shown quantity', () => {
  const kib = fc.integer({ min: 1, max: 2 ** 40 })

  test('of memory differs by less than one percent, and sorts by its size', () => {
    fc.assert(
      fc.property(kib, (value) => {
        const shown = Number(sortKeyOf(bytes(value * 1024)))
        expect(Math.abs(shown - value * 1024)).toBeLessThanOrEqual(0.01 * value * 1024)
      }),
    )
  })

  test('of memory is the same for every spelling in Kubernetes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4096 }), (gib) => {
        expect(quantity(`${gib * 1024}Mi`)).toBe(quantity(`${gib}Gi`))
        expect(quantity(`${gib * 1024 * 1024}Ki`)).toBe(quantity(`${gib}Gi`))
      }),
    )
  })

  test('of CPU always has a unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (tenths) => {
        expect(cores(tenths / 10)).toMatch(/^[\d.]+(m| cores?)$/)
      }),
    )
  })

  test('of one has the singular', () => {
    expect([count(1, 'node'), count(0, 'node'), count(1200, 'node'), days(24), days(48)]).toEqual([
      ...['1 node', '0 nodes', '1,200 nodes', '1 day', '2 days'],
    ])
  })

  test('in percent has its sign, and an input has at most two decimals', () => {
    expect([signedPercent(-0.125), signedPercent(0.5), wholePercent(0.4)]).toEqual(['−12.5 %', '+50.0 %', '40 %'])
    expect(percentNumber(0.123456)).toBe(12.35)
  })
})
