import { expect, test } from 'vitest'
import { accessOfGroups } from './access-of-groups.ts'

const rules = {
  roles: [
    { group: 'admins', role: 'admin' },
    { group: 'developers', role: 'viewer', own_teams_only: true },
    { group: 'everyone', role: 'viewer' },
  ],
  teams: [
    { group: 'shop-developers', team: 'shop' },
    { group: 'data-developers', team: 'data' },
    { group: 'developers-of-both', team: 'shop' },
  ],
}

test.each([
  { groups: ['everyone', 'admins'], access: { role: 'admin', teams: null } },
  { groups: ['everyone'], access: { role: 'viewer', teams: null } },
  { groups: ['developers', 'shop-developers'], access: { role: 'viewer', teams: ['shop'] } },
  {
    groups: ['developers', 'shop-developers', 'developers-of-both', 'data-developers'],
    access: { role: 'viewer', teams: ['data', 'shop'] },
  },
  { groups: ['admins', 'shop-developers'], access: { role: 'admin', teams: null } },
])('$groups', ({ groups, access }) => {
  expect(accessOfGroups(groups, rules)).toEqual(access)
})

test.each([{ groups: [] }, { groups: ['Admins'] }, { groups: ['shop-developers'] }])(
  '$groups have no access',
  ({ groups }) => {
    expect(accessOfGroups(groups, rules)).toBeUndefined()
  },
)

test('a user who may see only their own teams and has none has no access, not even by a later rule', () => {
  expect(accessOfGroups(['developers', 'everyone'], rules)).toBeUndefined()
})
