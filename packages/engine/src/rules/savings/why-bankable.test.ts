import { expect, test } from 'vitest'
import { whyBankable } from './why-bankable.ts'

test.each([
  { estimated: 54, bankable: 0, where: 'rest', says: 'removes no further node' },
  { estimated: 412, bankable: 0, where: 'step', says: 'only when you change them' },
  { estimated: 412, bankable: 200, where: 'step', says: 'replace the rest manually' },
  { estimated: 12, bankable: 12, where: 'step', says: 'when the change is applied' },
  { estimated: 2403, bankable: 2736, where: 'step', says: 'also have unallocated capacity' },
  { estimated: 12, bankable: null, where: 'rest', says: 'does not cover this rule' },
  { estimated: 12, bankable: null, where: 'not-simulated', says: 'has not run' },
  { estimated: 0, bankable: 0, where: 'rest', says: 'adds no cost' },
  { estimated: -15, bankable: 0, where: 'step', says: 'the bill does not grow' },
  { estimated: 20, bankable: 0, where: 'protect', says: 'pods still need their requests' },
  { estimated: 20, bankable: -70, where: 'protect', says: 'need more or larger nodes' },
  { estimated: -15, bankable: -70, where: 'step', says: 'need more or larger nodes' },
] as const)('$bankable of $estimated ($where) is explained', ({ estimated, bankable, where, says }) => {
  expect(whyBankable({ estimatedUsdPerMonth: estimated, bankableUsdPerMonth: bankable }, where)).toContain(says)
})

test('nodes for manual removal: the text says when earlier steps need their capacity', () => {
  const saving = { estimatedUsdPerMonth: 200, removesNodes: ['a', 'b'] }
  expect(whyBankable({ ...saving, bankableUsdPerMonth: 100 })).toContain('fewer of these nodes can be removed')
  expect(whyBankable({ ...saving, bankableUsdPerMonth: 200 })).toContain('when the change is applied')
})
