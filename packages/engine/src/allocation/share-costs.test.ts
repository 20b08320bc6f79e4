import { expect, test } from 'vitest'
import { NO_CHARGE } from '../pricing/rate.ts'
import { anOwner } from './builders.ts'
import { totalUsd, type CostRow } from './cost-row.ts'
import { nameIn } from './cost-dimension.ts'
import { shareCosts, type Sharing } from './share-costs.ts'

const row = (namespace: string, usd: bigint): CostRow => ({
  owner: anOwner({ namespace }),
  charges: { cpu: { ...NO_CHARGE, usd } },
})
const idle: CostRow = { owner: { kind: 'idle' }, charges: { cpu: { ...NO_CHARGE, usd: 10n } } }
const rows = [row('a', 30n), row('b', 10n), idle]

const isIdle = ({ owner }: CostRow) => owner.kind === 'idle'
const byNamespace = (some: CostRow) => nameIn(some, 'namespace')

const share = (sharing: Sharing, some = rows) => shareCosts(some, isIdle, byNamespace, sharing)
const shared = (some: CostRow[]) => some.map(({ charges }) => charges.shared?.usd)

test('evenly', () => {
  expect(shared(share({ kind: 'even' }))).toEqual([5n, 5n])
})

test('in proportion to cost: 7.5 and 2.5, and the first by name gets the odd unit', () => {
  expect(shared(share({ kind: 'proportional' }))).toEqual([8n, 2n])
})

test('by weights; a receiver without a weight gets nothing', () => {
  const weights = new Map([['b', 3n]])
  expect(shared(share({ kind: 'weighted', weights }))).toEqual([undefined, 10n])
})

test('a receiver with several rows splits its share in proportion', () => {
  const some = [row('a', 1n), row('a', 3n), idle]
  expect(shared(share({ kind: 'even' }, some))).toEqual([3n, 7n])
})

test('without a receiver, the cost stays where it is', () => {
  expect(share({ kind: 'even' }, [idle])).toEqual([idle])
  expect(share({ kind: 'weighted', weights: new Map() })).toEqual(rows)
})

test('for any receivers, the sum is the same', () => {
  expect(totalUsd(share({ kind: 'proportional' }))).toBe(totalUsd(rows))
})
