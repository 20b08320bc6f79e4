import { expect, test } from 'vitest'
import { aScenario } from '../../test/a-scenario.ts'
import { hasOthers, type DemoState } from './demo-state.ts'
import { Fleet } from './fleet.ts'

const today = 500_000 * 3600
const scenario = aScenario()

const noClusters = (): DemoState => ({ email: '', password: '', clusters: [], leftovers: [], chapters: [] })

/** Names the created clusters cls_1, cls_2 and so on. */
function anApi() {
  let made = 0
  return { createCluster: async () => ({ id: `cls_${(made += 1)}`, agent_token: 'secret' }) }
}

test('an open cluster stays open, and is a new one after the demo starts again in the same run', async () => {
  const state = noClusters()
  const fleet = new Fleet(
    state,
    () => undefined,
    () => 1,
  )
  const api = anApi()
  const first = await fleet.open(api, scenario, today)
  expect(await fleet.open(api, scenario, today)).toBe(first)
  fleet.beginAnew()
  expect(fleet.members).toEqual([])
  expect(state).toMatchObject({ clusters: [], leftovers: ['cls_1'] })
  const second = await fleet.open(api, scenario, today)
  expect(second.cluster).toMatchObject({ id: 'cls_2', runs: 0, happenings: [] })
  expect(fleet.members).toEqual([second])
})

test('other clusters are neither of this demo nor left over from it', async () => {
  const state = { ...noClusters(), leftovers: ['cls_0'] }
  await new Fleet(
    state,
    () => undefined,
    () => 1,
  ).open(anApi(), scenario, today)
  expect(hasOthers([], state)).toBe(false)
  expect(hasOthers(['cls_0', 'cls_1'], state)).toBe(false)
  expect(hasOthers(['cls_0', 'cls_1', 'cls_2'], state)).toBe(true)
})
