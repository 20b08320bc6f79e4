import { expect, test } from 'vitest'
import { receiversFor } from './receivers.ts'

const fleet = { channelId: 'fleet', teams: [] }
const shop = { channelId: 'shop', teams: ['shop'] }
const shared = { channelId: 'shared', teams: ['shop', 'data'] }

test.each([
  { name: 'a team with channels', receivers: [fleet, shop, shared], teams: ['shop'], to: ['shop', 'shared'] },
  { name: 'several teams', receivers: [fleet, shop, shared], teams: ['data', 'web'], to: ['shared'] },
  { name: 'a team without channels', receivers: [fleet, shop], teams: ['web'], to: ['fleet'] },
  { name: 'no team', receivers: [fleet, shop], teams: [], to: ['fleet'] },
  { name: 'no team, and only channels of teams', receivers: [shop], teams: [], to: [] },
])('a message about $name goes to $to', ({ receivers, teams, to }) => {
  expect(receiversFor(receivers, teams)).toEqual(to)
})
