import type { TeamRule } from '@plimsoll/contract'
import { decimal, type Decimal } from '@plimsoll/engine'
import { NO_CHARGE } from '@plimsoll/engine/pricing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRowSelected } from './cost-filter.ts'
import { labelReader, type PricedRow } from './priced-rows.ts'
import { sumTeamCosts, type TeamCosts } from './sum-team-costs.ts'

const names = ['a', 'b', 'c'] as const
const aName = fc.constantFrom(...names)
const aCost = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => decimal((cents / 100).toFixed(2)))

type Part = { cluster: string; namespace: string; squad: string | null; usd: Decimal }
const aPart: fc.Arbitrary<Part> = fc.record({
  cluster: aName,
  namespace: aName,
  squad: fc.option(aName),
  usd: aCost,
})
const aRule: fc.Arbitrary<TeamRule> = fc.oneof(
  fc.record({ team: aName, namespace: fc.constantFrom(...names, '*') }),
  fc.record({ team: aName, cluster: aName }),
  fc.record({ team: aName, label: fc.record({ key: fc.constant('squad'), value: aName }) }),
  fc.record({ team_from_label: fc.constant('squad'), cluster: aName }),
)
const someRules = fc.array(aRule, { maxLength: 4 })
const someParts = fc.array(aPart, { maxLength: 20 })

const costOf = (usd: Decimal, row: Pick<PricedRow, 'owner'> & { cluster?: string }): PricedRow => ({
  ...row,
  charges: { cpu: { ...NO_CHARGE, usd } },
  usedUsd: 0n,
  unmeasuredUsd: 0n,
  idleUsd: 0n,
})

const rowsOf = (parts: readonly Part[], rules: readonly TeamRule[]): PricedRow[] =>
  parts.map(({ cluster, namespace, squad, usd }) => {
    const named = { namespace, kind: 'Deployment', name: 'web', labels: [null, squad] }
    const labels = labelReader(cluster, ['plimsoll.dev/team', 'squad'], rules)(named)
    return costOf(usd, {
      cluster,
      owner: { kind: 'workload', namespace, controllerKind: 'Deployment', workload: 'web', labels },
    })
  })

const sum = (list: readonly { usd: Decimal }[]) => list.reduce((all, { usd }) => all + usd, 0n)
const totalOf = ({ teams, unowned, otherUsd }: TeamCosts) => sum([...teams.values()]) + sum(unowned) + otherUsd

test('law 5: teams, unowned and other cost sum to the total, for any mapping', () => {
  fc.assert(
    fc.property(someParts, someRules, aCost, (parts, rules, idle) => {
      const costs = sumTeamCosts([...rowsOf(parts, rules), costOf(idle, { owner: { kind: 'idle' } })])
      expect(costs.otherUsd).toBe(idle)
      expect(totalOf(costs)).toBe(sum(parts) + idle)
    }),
  )
})

test('law 5: a new mapping moves cost between teams and keeps the total', () => {
  fc.assert(
    fc.property(someParts, someRules, aName, aName, (parts, rules, team, namespace) => {
      const before = sumTeamCosts(rowsOf(parts, rules))
      const after = sumTeamCosts(rowsOf(parts, [...rules, { team, namespace }]))
      expect(totalOf(after)).toBe(totalOf(before))
      const moved = sum(before.unowned.filter((each) => each.namespace === namespace))
      const usdOf = (costs: TeamCosts, name: string) => costs.teams.get(name)?.usd ?? 0n
      expect(usdOf(after, team) - usdOf(before, team)).toBe(moved)
      for (const other of names.filter((each) => each !== team)) expect(usdOf(after, other)).toBe(usdOf(before, other))
    }),
  )
})

test('law 5: a role that is limited to teams sees the cost of these teams', () => {
  fc.assert(
    fc.property(someParts, someRules, fc.uniqueArray(aName), (parts, rules, visibleTeams) => {
      const rows = rowsOf(parts, rules)
      const filter = { namespaces: null, workloads: null, visibleTeams, names: new Map(), unowned: new Set<never>() }
      const limited = sumTeamCosts(rows.filter((row) => isRowSelected(row, filter)))
      const all = sumTeamCosts(rows)
      expect(totalOf(limited)).toBe(sum(visibleTeams.flatMap((team) => all.teams.get(team) ?? [])))
    }),
  )
})

test('namespaces of a team count once for each cluster', () => {
  const part = { cluster: 'a', namespace: 'shop', squad: null, usd: decimal('1') }
  const parts = [part, part, { ...part, cluster: 'b' }]
  const { teams, unowned } = sumTeamCosts(rowsOf(parts, [{ team: 'x', cluster: 'a' }]))
  expect([...teams]).toEqual([['x', { usd: decimal('2'), namespaces: 1 }]])
  expect(unowned).toEqual([{ cluster: 'b', namespace: 'shop', usd: decimal('1') }])
})
