import { expect, test, vi } from 'vitest'
import { aCluster, anApiKey, aPerson } from '../../../../test/people.ts'
import { send, useTestApp } from '../../../../test/test-app.ts'
import { isWaitingForLock } from '../../../../test/waiting-for-lock.ts'
import { newCredential } from '../credential-text.ts'
import { deleteAgentToken } from './agent-tokens.ts'
import { deleteApiKey } from '../../../people/queries/api-keys.ts'
import { deleteCluster } from '../../../clusters/queries/clusters.ts'
import type { Db } from '../../db/database.ts'
import { patience } from '../../../../test/patience.ts'

const t = useTestApp()

const lastUses = async (subject: string) =>
  (await t.db.selectFrom('last_use').select('at').where('subject_id', '=', subject).execute()).map(({ at }) => at)

/** Sends a request during the revocation of the credential, and lets the revocation win. */
async function useWhile(revoke: (tx: Db) => Promise<unknown>, headers: Record<string, string>): Promise<void> {
  const { answer } = await t.db.transaction().execute(async (tx) => {
    await revoke(tx)
    const answer = send(t, { url: '/api/v1/clusters', headers })
    await vi.waitFor(async () => expect(await isWaitingForLock(t.db)).toBe(true), patience)
    return { answer }
  })
  await answer
}

test('a key or token that is used during its revocation leaves no last use', async () => {
  const { keyId, header } = await anApiKey(t, (await aPerson(t)).userId)
  await useWhile((tx) => deleteApiKey(tx, keyId), header)
  const { clusterId, tokenId, bearer } = await aCluster(t)
  await useWhile((tx) => deleteAgentToken(tx, clusterId, tokenId), bearer)
  expect([await lastUses(keyId), await lastUses(tokenId)]).toEqual([[], []])
})

test('the last use is written at most once a minute', async () => {
  const { keyId, header } = await anApiKey(t, (await aPerson(t)).userId)
  const start = t.clock.now
  const seen: (number | undefined)[] = []
  for (const waitMs of [0, 59_000, 2_000]) {
    t.clock.advance(waitMs)
    await send(t, { url: '/api/v1/clusters', headers: header })
    const [at] = await lastUses(keyId)
    seen.push(at && at.getTime() - start.getTime())
  }
  expect(seen).toEqual([0, 0, 61_000])
})

test('only the secret of a token of a deleted cluster reveals that the cluster is gone', async () => {
  const { clusterId, agentToken, bearer } = await aCluster(t)
  await deleteCluster(t.db, clusterId, t.clock.now)
  const call = async (headers: Record<string, string>) =>
    (await send(t, { method: 'POST', url: '/api/v1/agent/metrics', headers })).json<{ status: number; code: string }>()
  expect(await call(bearer)).toMatchObject({ status: 410, code: 'cluster_gone' })
  const forged = newCredential('pla', agentToken.slice(4, 30)).text
  expect(await call({ authorization: `Bearer ${forged}` })).toMatchObject({ status: 401, code: 'unauthenticated' })
})
