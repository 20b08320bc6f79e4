import { decimal, type Decimal } from '@plimsoll/engine'
import type { Owner, Unowned } from '@plimsoll/engine/allocation'
import { NO_CHARGE } from '@plimsoll/engine/pricing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TEAM_DIMENSION, TEAM_LABEL, type Grouping } from '../parse-grouping.ts'
import type { PricedRow } from '../priced-rows.ts'
import { shareRows, type SharingOptions } from '../share-rows.ts'
import { ownUsd, sharedUsd, sumOfAmounts, sumStatements, totalUsd, type StatementRows } from './sum-statements.ts'

const grouping: Grouping = {
  side: 'workloads',
  names: ['team', 'namespace'],
  dimensions: [TEAM_DIMENSION, 'namespace'],
}

const rowOf = (owner: Owner, usd: Decimal): PricedRow => ({
  owner,
  charges: { [owner.kind === 'idle' ? 'cpu' : 'storage']: { ...NO_CHARGE, usd } },
  usedUsd: 0n,
  unmeasuredUsd: 0n,
  idleUsd: 0n,
})

const workload = (team: string | null, namespace: string): Owner => ({
  kind: 'workload',
  namespace,
  controllerKind: 'Deployment',
  workload: 'web',
  labels: team === null ? {} : { [TEAM_LABEL]: team },
})

/** Exact amounts down to 1e-24 dollars. */
const usd = fc.bigInt({ min: 0n, max: 10n ** 28n })
const unowned = fc.constantFrom<Unowned>('idle', 'unmounted', 'unattached', 'overhead').map((kind): Owner => ({ kind }))
const owned = fc
  .tuple(fc.constantFrom('a', 'b', null), fc.constantFrom('shop', 'data', 'ci'))
  .map(([team, namespace]) => workload(team, namespace))
const row = fc.tuple(fc.oneof(owned, unowned), usd).map(([owner, amount]) => rowOf(owner, amount))
const clusters = fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 3 })
const sharing: fc.Arbitrary<SharingOptions> = fc.record({
  shareIdle: fc.constantFrom('none', 'even', 'proportional'),
  shareOverhead: fc.constantFrom('none', 'even', 'proportional'),
  shareNamespaces: fc.record({
    names: fc.subarray(['ci', 'data']).map((names) => new Set(names)),
    by: fc.constantFrom('even', 'proportional'),
  }),
})

const rowsOf = (rows: PricedRow[], options: SharingOptions, at: number): StatementRows => ({
  cluster: `cluster ${at}`,
  unshared: rows,
  shared: shareRows(rows, { ...options, grouping, isNested: true, weights: new Map() }),
})

test('law: teams, unowned cost and cost that no team pays add up to the month, exactly', () => {
  fc.assert(
    fc.property(clusters, sharing, (all, options) => {
      const { teams, notCharged, total } = sumStatements(all.map((rows, at) => rowsOf(rows, options, at)))
      const charged = [...teams.values()].reduce((sum, team) => sum + totalUsd(team), 0n)
      expect(charged + sumOfAmounts(notCharged)).toBe(total)
      expect(total).toBe(sumOfAmounts(Object.fromEntries(all.flat().map((each, at) => [at, usdOf(each)]))))
      for (const team of teams.values()) {
        expect(totalUsd(team)).toBe(ownUsd(team) + sharedUsd(team))
        const rows = team.rows.reduce((sum, each) => sum + sumOfAmounts(each.usd), 0n)
        expect(rows).toBe(ownUsd(team))
      }
    }),
  )
})

test('law: without shared namespaces, the cost that a budget counts is the own cost of the statement', () => {
  fc.assert(
    fc.property(clusters, sharing, (all, options) => {
      const alone = { ...options, shareNamespaces: { names: new Set<string>(), by: 'even' as const } }
      const { teams } = sumStatements(all.map((rows, at) => rowsOf(rows, alone, at)))
      for (const team of teams.values()) expect(team.unsharedUsd).toBe(ownUsd(team))
    }),
  )
})

test('a shared namespace is not a direct cost of its team', () => {
  const rows = [rowOf(workload('a', 'ci'), decimal('4')), rowOf(workload('b', 'shop'), decimal('6'))]
  const options: SharingOptions = {
    ...{ shareIdle: 'none', shareOverhead: 'none' },
    shareNamespaces: { names: new Set(['ci']), by: 'even' },
  }
  const { teams } = sumStatements([rowsOf(rows, options, 0)])
  expect(teams.get('a')).toMatchObject({ rows: [], unsharedUsd: decimal('4') })
  expect(teams.get('b')?.shared.namespaces).toBe(decimal('4'))
})

const usdOf = ({ charges }: PricedRow) => Object.values(charges).reduce((sum, charge) => sum + (charge?.usd ?? 0n), 0n)
