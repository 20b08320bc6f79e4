import type { TeamRule } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { emptyRule, rowsOfRules, rulesOfRows } from './team-rules.ts'

test('rules survive the form unchanged', () => {
  const rules: TeamRule[] = [
    { team: 'shop', cluster: 'prod-*', namespace: 'shop-*' },
    { team_from_label: 'owner' },
    { team: 'data', label: { key: 'tier', value: 'gold' } },
    { team: 'web', label: { key: 'tier' } },
  ]
  expect(rulesOfRows(rowsOfRules(rules))).toEqual(rules)
})

test('blanks around a name are dropped, and an empty field does not matter', () => {
  expect(rulesOfRows([{ ...emptyRule, team: ' shop ', namespace: ' ' }])).toEqual([{ team: 'shop' }])
})
