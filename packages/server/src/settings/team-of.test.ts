import { expect, test } from 'vitest'
import { labelsOfRules, teamOf, type TeamRules } from './team-of.ts'

const web = { cluster: 'production-eu', namespace: 'shop-web', labels: { owner: 'storefront', tier: 'gold' } }

test.each<{ name: string; rules: TeamRules; team: string | undefined }>([
  { name: 'the first rule that matches', rules: [{ team: 'a', namespace: 'shop-*' }, { team: 'b' }], team: 'a' },
  { name: 'the pattern of the cluster', rules: [{ team: 'a', cluster: 'staging-*' }, { team: 'b' }], team: 'b' },
  { name: 'the value of a label', rules: [{ team_from_label: 'owner', cluster: '*-eu' }], team: 'storefront' },
  { name: 'no absent label', rules: [{ team_from_label: 'squad' }, { team: 'b' }], team: 'b' },
  { name: 'label and namespace', rules: [{ team: 'a', namespace: 'x', label: { key: 'tier' } }], team: undefined },
  { name: 'nothing', rules: [], team: undefined },
])('a team comes from $name', ({ rules, team }) => {
  expect(teamOf(rules, web)).toBe(team)
})

test('the label plimsoll.dev/team comes before all rules', () => {
  const marked = { ...web, labels: { ...web.labels, 'plimsoll.dev/team': 'payments' } }
  expect(teamOf([{ team: 'a' }], marked)).toBe('payments')
})

test('every label that decides a team is read', () => {
  const rules: TeamRules = [{ team_from_label: 'owner' }, { team: 'a', label: { key: 'tier' } }]
  expect(labelsOfRules(rules)).toEqual(['plimsoll.dev/team', 'owner', 'tier'])
})
