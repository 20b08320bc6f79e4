import { expect, test } from 'vitest'
import { awsProduction } from '../scenarios/aws-production.ts'
import { amountFor, demoBudgets, demoTeams } from './budgets.ts'

test('the budgets belong to teams that the mapping finds in the demo', () => {
  const key = demoTeams.find(({ team_from_label: label }) => label !== undefined)?.team_from_label ?? ''
  const teams = awsProduction.namespaces.map(({ labels }) => labels?.[key])
  for (const { team } of demoBudgets) expect(teams).toContain(team)
})

test('one budget is above the cost of a month, and one below', () => {
  const month = (20 * 365) / 12
  const [within, over] = demoBudgets.map(({ share }) => amountFor(20, share))
  expect(within).toBeGreaterThan(month)
  expect(over).toBeLessThan(month)
  expect(amountFor(0, 1)).toBe(10)
})
