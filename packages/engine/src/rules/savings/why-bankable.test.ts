import { expect, test } from 'vitest'
import { whyBankable } from './why-bankable.ts'

test.each([
  { estimated: 54, bankable: 0, where: 'rest', expected: 'removes no further node' },
  { estimated: 412, bankable: 0, where: 'step', expected: 'only when you change them' },
  { estimated: 412, bankable: 200, where: 'step', expected: 'replace the rest manually' },
  { estimated: 12, bankable: 12, where: 'step', expected: 'when the change is applied' },
  { estimated: 2403, bankable: 2736, where: 'step', expected: 'also have unallocated capacity' },
  { estimated: 12, bankable: null, where: 'rest', expected: 'does not cover this rule' },
  { estimated: 12, bankable: null, where: 'not-simulated', expected: 'has not run' },
  { estimated: 0, bankable: 0, where: 'rest', expected: 'has no cost' },
  { estimated: -15, bankable: 0, where: 'step', expected: 'the bill does not grow' },
  { estimated: 20, bankable: 0, where: 'protect', expected: 'pods still need their requests' },
  { estimated: 20, bankable: -70, where: 'protect', expected: 'need more or larger nodes' },
  { estimated: -15, bankable: -70, where: 'step', expected: 'need more or larger nodes' },
] as const)('$bankable of $estimated ($where) is explained', ({ estimated, bankable, where, expected }) => {
  expect(whyBankable({ estimatedUsdPerMonth: estimated, bankableUsdPerMonth: bankable }, where)).toContain(expected)
})

test('nodes for manual removal: the text says when earlier steps need their capacity', () => {
  const saving = { estimatedUsdPerMonth: 200, removesNodes: ['a', 'b'] }
  expect(whyBankable({ ...saving, bankableUsdPerMonth: 100 })).toContain('fewer of these nodes can be removed')
  expect(whyBankable({ ...saving, bankableUsdPerMonth: 200 })).toContain('when the change is applied')
})
