import { expect, test } from 'vitest'
import { whyBankable } from './why-bankable.ts'

const why = (
  estimatedUsdPerMonth: number,
  bankableUsdPerMonth: number | null,
  share: Parameters<typeof whyBankable>[1],
) => whyBankable({ estimatedUsdPerMonth, bankableUsdPerMonth }, share)

test.each([
  { estimated: 54, bankable: 176, share: 'shared', says: 'exceeds the estimate' },
  { estimated: 54, bankable: 20, share: 'shared', says: 'The rest of the freed capacity stays' },
  { estimated: 54, bankable: 54, share: 'shared', says: 'in the price of the removed nodes' },
  { estimated: 54, bankable: 0, share: 'no-node-freed', says: 'No node can be removed' },
  { estimated: 54, bankable: 0, share: 'frees-nothing-that-binds', says: 'Another resource determines' },
  { estimated: 54, bankable: 0, share: 'only-by-hand', says: 'no autoscaler' },
  { estimated: 412, bankable: 0, share: 'own', says: 'only when you change them' },
  { estimated: 412, bankable: 200, share: 'own', says: 'replace the rest manually' },
  { estimated: 12, bankable: 12, share: 'own', says: 'once this is applied' },
  { estimated: 12, bankable: null, share: 'own', says: 'not part of the scheduler simulation' },
  { estimated: 12, bankable: null, share: 'not-simulated', says: 'has not run' },
  { estimated: 0, bankable: 0, share: 'frees-nothing-that-binds', says: 'capacity for the new requests' },
  { estimated: -15, bankable: 0, share: 'no-node-freed', says: 'the bill does not grow' },
  { estimated: -15, bankable: -70, share: 'shared', says: 'need more or larger nodes' },
] as const)('$bankable of $estimated ($share) is explained', ({ estimated, bankable, share, says }) => {
  expect(why(estimated, bankable, share)).toContain(says)
})

test('for nodes removed by hand it says when other recommendations need their capacity, and else that the cost leaves the bill', () => {
  const saving = { estimatedUsdPerMonth: 200, removesNodes: ['a', 'b'] }
  expect(whyBankable({ ...saving, bankableUsdPerMonth: 100 }, 'own')).toContain('fewer of these nodes can be removed')
  expect(whyBankable({ ...saving, bankableUsdPerMonth: 200 }, 'own')).toContain('once this is applied')
})

test('a finding that frees nothing alone says so; one that was not simulated claims nothing', () => {
  const saving = { estimatedUsdPerMonth: 54, bankableUsdPerMonth: 54 }
  expect(whyBankable(saving, 'shared', false)).toContain('Applied alone, this change removes no node')
  expect(whyBankable(saving, 'shared', true)).not.toContain('removes no node')
  expect(whyBankable(saving, 'shared')).not.toContain('removes no node')
  expect(whyBankable({ ...saving, bankableUsdPerMonth: 20 }, 'shared', false)).toContain('stays on nodes')
})
