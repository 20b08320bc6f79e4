import { beforeEach, expect, test } from 'vitest'
import { aFinding, analysed, idsOf } from '../../test/findings.ts'
import { aCluster, aPerson, type Person } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { listTrials } from './queries/verifications.ts'

const t = useTestApp()
const hourMs = 3_600_000

let person: Person
let clusterId: string
beforeEach(async () => {
  person = await aPerson(t, 'admin')
  clusterId = (await aCluster(t)).clusterId
})

/** Found, applied, with this result. */
async function tried(verification: 'reverted' | 'regressed' | 'verified'): Promise<void> {
  await analysed(t, clusterId, { findings: [aFinding()] })
  const id = (await idsOf(t, clusterId)).web ?? ''
  const url = `/api/v1/recommendations/${id}/apply`
  expect((await send(t, { method: 'POST', url, headers: person.bearer })).statusCode).toBe(200)
  await t.db
    .updateTable('recommendation')
    .set({ verification } as object)
    .where('recommendation_id', '=', id)
    .execute()
  t.clock.advance(hourMs)
}

const trials = () => listTrials(t.db, clusterId, new Date(0))

test.each(['reverted', 'regressed'] as const)('a %s result is remembered', async (verification) => {
  await tried(verification)
  expect(await trials()).toMatchObject([{ rule_id: 'container_overprovisioned' }])
})

test('of several attempts the newest counts, even if it lasted', async () => {
  await tried('reverted')
  await tried('verified')
  expect(await trials()).toEqual([])
  await tried('reverted')
  expect(await trials()).toHaveLength(1)
})
