import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { chargeRows, ratiosOf, ratioText, unitPriceOf } from './charge-rows.ts'
import { focusColumns, focusVersions } from './columns.ts'
import { CsvLines } from './csv-lines.ts'
import type { FocusCharge, FocusOwner } from './focus-row.ts'
import { focusMeters, serviceNameOf } from './meters.ts'

const owner = (name: string, costClass: FocusOwner['costClass'] = 'workload'): FocusOwner => ({
  ...{ costClass, namespace: 'shop', kind: 'Deployment', name, pod: null, node: null },
  tags: '{"namespace":"shop"}',
})

const charge: FocusCharge = {
  scope: {
    installation: { id: 'https://plimsoll.test', name: 'Plimsoll' },
    cluster: { id: 'cls_1', name: 'prod' },
    provider: 'AWS',
    from: new Date('2026-12-31T00:00:00Z'),
    to: new Date('2027-01-01T00:00:00Z'),
  },
  origin: {
    ...{ id: 'class', name: 'm5.large, on-demand', type: 'Node class', region: 'eu-central-1', isSpot: false },
    ...{ skuId: 'class', skuPriceId: '7' },
  },
  meter: 'cpu',
  price: { list: decimal('0.00000000001'), contracted: decimal('0.000000000009') },
}

/** Two vCPUs for an hour. */
const twoCores = 2_000_000n * 3600n

test('a share is charged by quantity, at the list price and after the discount', () => {
  const [row] = chargeRows(charge, [{ owner: owner('web'), quantity: twoCores, requested: twoCores / 2n }], 'none')
  expect(row).toMatchObject({ quantity: 2, requested: 1, used: null, billedCost: 0n })
  expect([row?.listCost, row?.contractedCost, row?.effectiveCost]).toEqual(['0.072', '0.0648', '0.0648'].map(decimal))
  expect(unitPriceOf(charge.price.list, charge)).toBe(decimal('0.036'))
})

test('BilledCost is the effective cost on request, and a share of 0 has no row', () => {
  const rows = chargeRows(
    charge,
    [
      { owner: owner('web'), quantity: twoCores },
      { owner: owner('idle', 'idle'), quantity: 0n },
    ],
    'effective',
  )
  expect(rows.map(({ billedCost }) => billedCost)).toEqual([decimal('0.0648')])
})

const quantities = fc.array(fc.bigInt({ min: 0n, max: 10n ** 18n }), { minLength: 1, maxLength: 200 })

test('the ratios of an origin add up to exactly 1, and none is negative', () => {
  fc.assert(
    fc.property(quantities, (parts) => {
      const ratios = ratiosOf(parts)
      const isEmpty = parts.every((part) => part === 0n)
      expect(ratios.reduce((sum, ratio) => sum + ratio, 0n)).toBe(isEmpty ? 0n : 10n ** 12n)
      expect(ratios.every((ratio) => ratio >= 0n)).toBe(true)
    }),
  )
})

test('the largest share takes the rest, and the text of a ratio has all decimals', () => {
  expect(ratiosOf([1n, 1n, 4n]).map(ratioText)).toEqual(['0.166666666666', '0.166666666666', '0.666666666668'])
  expect(ratiosOf([5n]).map(ratioText)).toEqual(['1.000000000000'])
})

test('the costs of the rows add up to the cost of the origin', () => {
  fc.assert(
    fc.property(quantities, (parts) => {
      const rows = chargeRows(
        charge,
        parts.map((quantity, at) => ({ owner: owner(`w${at}`), quantity })),
        'none',
      )
      const sum = rows.reduce((total, { effectiveCost }) => total + effectiveCost, 0n)
      expect(sum).toBe(parts.reduce((total, part) => total + part, 0n) * charge.price.contracted)
      expect(rows).toHaveLength(parts.filter((part) => part > 0n).length)
    }),
  )
})

test('each category of services has one name', () => {
  const names = new Map<string, Set<string>>()
  for (const meter of Object.values(focusMeters)) {
    names.set(meter.category, (names.get(meter.category) ?? new Set()).add(serviceNameOf(meter)))
  }
  expect([...names].map(([category, found]) => [category, [...found]])).toEqual([
    ['Compute', ['Kubernetes Compute']],
    ['Storage', ['Kubernetes Storage']],
    ['Networking', ['Kubernetes Networking']],
  ])
})

const cellsOf = (version: '1.2' | '1.3', of: FocusOwner) => {
  const [row] = chargeRows(charge, [{ owner: of, quantity: twoCores }], 'none')
  const values = focusColumns(version).map((column) => [
    column.name,
    row === undefined ? undefined : column.from === 'charge' ? column.of(row.charge) : column.of(row),
  ])
  return Object.fromEntries(values) as Record<string, unknown>
}

describe.each(focusVersions)('version %s', (version) => {
  test('no column is named twice, and custom columns are last', () => {
    const names = focusColumns(version).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.slice(names.findIndex((name) => name.startsWith('x_'))).every((name) => name.startsWith('x_'))).toBe(
      true,
    )
  })

  test('the billing period is the month of the charge period, also in December', () => {
    const { BillingPeriodStart: from, BillingPeriodEnd: to } = cellsOf(version, owner('web'))
    expect([from, to]).toEqual([new Date('2026-12-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')])
  })
})

test('1.3 names the receiver of the cost, its share and the method; idle cost has no receiver', () => {
  expect(cellsOf('1.3', owner('web'))).toMatchObject({
    AllocatedResourceId: 'prod/shop/Deployment/web',
    AllocatedMethodId: 'plimsoll-request-or-use-v1',
    HostProviderName: 'AWS',
    AllocatedMethodDetails:
      '{"Elements":[{"AllocatedRatio":1.000000000000,"UsageQuantity":2,"UsageUnit":"vCPU-Hours"}]}',
  })
  expect(cellsOf('1.3', owner('', 'idle')).AllocatedResourceId).toBeNull()
  expect(cellsOf('1.2', owner('web'))).not.toHaveProperty('AllocatedMethodId')
})

test('a line of CSV has a cell for each column, quotes texts, and writes amounts with a point', () => {
  const lines = new CsvLines('1.2')
  const names = lines.header.trimEnd().split(',')
  expect([...names].sort()).toEqual(
    focusColumns('1.2')
      .map(({ name }) => name)
      .sort(),
  )
  const [row] = chargeRows(charge, [{ owner: owner('web'), quantity: twoCores }], 'none')
  const line = row ? lines.line(row) : ''
  expect(line).toContain('"m5.large, on-demand"')
  expect(line).toContain('"{""namespace"":""shop""}"')
  expect(line).toContain('2026-12-31T00:00:00Z')
  const simple = line
    .replaceAll(/"(?:[^"]|"")*"/g, 'quoted')
    .trimEnd()
    .split(',')
  expect(simple).toHaveLength(names.length)
  expect(simple[names.indexOf('BilledCost')]).toBe('0.0')
  expect(simple[names.indexOf('EffectiveCost')]).toBe('0.0648')
  expect(simple[names.indexOf('x_Used')]).toBe('')
})
