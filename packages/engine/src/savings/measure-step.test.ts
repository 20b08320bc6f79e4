import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { measureStep, stepState, type MeasuredItem, type MeasuredMember, type MemberState } from './measure-step.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const item = (promised: string, off: string, isGone = off !== '0'): MeasuredItem => ({
  promisedUsd: decimal(promised),
  offUsd: decimal(off),
  isGone,
})
const member = (id: string, share: string, outcome: MeasuredMember['outcome'] = 'freed'): MeasuredMember => ({
  id,
  shareUsd: decimal(share),
  outcome,
})

test('two of three nodes are gone: the rest is freed capacity, and the share of the reverted change', () => {
  const measure = measureStep({
    promisedUsd: decimal('1235.16'),
    items: [item('411.72', '411.72'), item('411.72', '411.72'), item('411.72', '0')],
    members: [member('a', '1070.82'), member('b', '164.34', 'reverted')],
  })
  expect(measure).toEqual({
    promised: decimal('1235.16'),
    priceDifference: 0n,
    offTheBill: decimal('823.44'),
    capacityFreed: decimal('356.94'),
    reverted: decimal('54.78'),
    notObserved: 0n,
  })
})

test('a price that changed since the promise is a separate difference', () => {
  const items = [item('100', '90')]
  expect(measureStep({ promisedUsd: decimal('100'), items, members: [member('a', '100')] })).toMatchObject({
    offTheBill: decimal('90'),
    priceDifference: decimal('-10'),
    capacityFreed: 0n,
  })
})

test('a step that names nothing proves nothing about the bill', () => {
  const members = [member('a', '30'), member('b', '10', 'reverted')]
  expect(measureStep({ promisedUsd: decimal('40'), items: [], members })).toMatchObject({
    offTheBill: 0n,
    capacityFreed: 0n,
    reverted: decimal('10'),
    notObserved: decimal('30'),
  })
})

test('of a partially applied change, only the observed part is capacity freed', () => {
  const members = [{ ...member('a', '100'), observedPart: decimal('0.25') }]
  expect(measureStep({ promisedUsd: decimal('100'), items: [item('100', '0')], members })).toMatchObject({
    capacityFreed: decimal('25'),
    notObserved: decimal('75'),
  })
})

test('the promise of a node without data or price is not observed', () => {
  const items = [item('60', '60'), { ...item('40', '0'), isUnobserved: true }]
  expect(measureStep({ promisedUsd: decimal('100'), items, members: [member('a', '100')] })).toMatchObject({
    ...{ offTheBill: decimal('60'), priceDifference: 0n, capacityFreed: 0n, notObserved: decimal('40') },
  })
})

const usd = fc.integer({ min: -5_000_000, max: 5_000_000 }).map((micros) => decimal(`${micros}e-4`))
const anItem = fc.record({ promisedUsd: usd, offUsd: usd, isGone: fc.boolean(), isUnobserved: fc.boolean() })
const aMember = fc.record({
  shareUsd: usd,
  outcome: fc.constantFrom('freed', 'reverted', 'unobserved'),
  observedPart: fc.integer({ min: 0, max: 100 }).map((percent) => decimal(`${percent}e-2`)),
})

test('the parts add up to the promise to the cent', () => {
  fc.assert(
    fc.property(
      usd,
      fc.array(anItem, { maxLength: 5 }),
      fc.array(aMember, { maxLength: 6 }),
      (promised, items, all) => {
        const members = all.map((each, at) => ({ ...each, id: `m${at}` }))
        const { priceDifference, ...parts } = measureStep({ promisedUsd: promised, items, members })
        const { offTheBill, capacityFreed, reverted, notObserved } = parts
        expect(offTheBill + capacityFreed + reverted + notObserved).toBe(parts.promised + priceDifference)
        const cent = decimal('0.01')
        expect([priceDifference, ...Object.values(parts)].every((amount) => amount % cent === 0n)).toBe(true)
      },
    ),
    lawRuns(500),
  )
})

const gone = { isGone: true }
const stays = { isGone: false }

test.each<{ members: MemberState[]; items: { isGone: boolean }[]; state: string }>([
  { members: ['verified', 'open'], items: [gone, gone], state: 'verified' },
  { members: ['verified', 'verified'], items: [gone, stays], state: 'partial' },
  { members: ['verified', 'verified', 'verified', 'verified', 'reverted'], items: [gone], state: 'partial' },
  { members: ['verified'], items: [stays], state: 'partial' },
  { members: ['verified', 'regressed'], items: [gone], state: 'regressed' },
  { members: ['reverted', 'reverted', 'open'], items: [stays], state: 'reverted' },
  { members: ['reverted', 'verified'], items: [stays], state: 'partial' },
  { members: ['not_observed', 'open'], items: [stays], state: 'not_observed' },
  { members: ['awaiting'], items: [], state: 'awaiting' },
  { members: ['verified', null], items: [], state: 'verified' },
])('$members with $items is $state', ({ members, items, state }) => {
  expect(stepState(members, items)).toBe(state)
})
