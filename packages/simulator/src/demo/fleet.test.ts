import { expect, test } from 'vitest'
import { aScenario } from '../../test/a-scenario.ts'
import { historyBatches } from '../batches/history-batches.ts'
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

test('a prepared cluster continues at its first sent hour, with the same history as without preparation', async () => {
  const days = 18
  const fleets = [0, 1].map(
    () =>
      new Fleet(
        noClusters(),
        () => undefined,
        () => days,
      ),
  )
  await fleets[0]?.prepare(scenario, today)
  const [prepared, other] = await Promise.all(fleets.map((fleet) => fleet.open(anApi(), scenario, today)))
  if (!prepared || !other) throw new Error('no cluster')
  const { openedAt, firstSentHour } = prepared.cluster
  expect([openedAt, firstSentHour]).toEqual([today - days * 24 * 3600, (today - 16 * 24 * 3600) / 3600])
  expect([prepared.world.second, other.world.second]).toEqual([firstSentHour * 3600, openedAt])
  const batches = [prepared, other].map(({ world }) => [
    ...historyBatches(world, { fromHour: firstSentHour, toHour: firstSentHour + 3 }),
  ])
  expect(batches[0]).toEqual(batches[1])
})
