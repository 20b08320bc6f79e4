import type { Allocation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { isWithoutCost, ownerCosts, ownerFacts, ownerTeam } from './facts.ts'

const withTeams = (...teams: string[]) =>
  ({ steps: [{ rows: teams.map((team) => ({ rows: [{ names: { team } }] })) }] }) as unknown as Allocation

test('the team is shown if all rows have it', () => {
  expect(ownerTeam(withTeams('blue', 'blue'))).toBe('blue')
  expect(ownerTeam(withTeams('blue', 'red'))).toBeNull()
  expect(ownerTeam(withTeams())).toBeNull()
})

test('replicas and requests before and now', () => {
  const workload = {
    pods: { before: 18, now: 24 },
    cpu_request_millicores: { before: 500, now: 1500 },
    memory_request_bytes: { before: 2 ** 30, now: 2 ** 30 },
  }
  const facts = ownerFacts({ changes: { rows: [{ workload }] } } as unknown as Allocation)
  expect(facts[0]).toEqual(['Replicas, mean', '18 → 24'])
  expect(facts[1]?.[1]).toContain('→')
  expect(facts[2]?.[1]).toBe('1 GiB')
  expect(ownerFacts({})).toEqual([])
})

test('the cost of an owner includes the rows that the answer sums up', () => {
  const rows = [{ cost: { total: 3 } }]
  const costs = (rest: number) =>
    ownerCosts({ steps: [{ rows, rest: { rows: rest, cost: { total: 2 } } }] } as unknown as Allocation)
  expect(costs(4).map(({ total }) => total)).toEqual([3, 2])
  expect(costs(0).map(({ total }) => total)).toEqual([3])
})

test('an owner without cost in both periods is not there; one that is gone or new is', () => {
  const answer = (now: number[], before: number | null) =>
    ({
      partial: false,
      steps: [
        {
          rows: now.map((total) => ({ cost: { total } })),
          rest: { rows: 0 },
          ...(before === null ? {} : { compare: { total: { total: before } } }),
        },
      ],
    }) as unknown as Allocation
  expect([answer([], null), answer([], 0)].map(isWithoutCost)).toEqual([true, true])
  expect([answer([], 5), answer([3], 0), answer([3], null)].map(isWithoutCost)).toEqual([false, false, false])
  // A workload on nodes without a price.
  expect(isWithoutCost(answer([0], 0))).toBe(false)
  expect(isWithoutCost({ ...answer([], 0), partial: true })).toBe(false)
})
