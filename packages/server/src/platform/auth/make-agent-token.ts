import { insertAgentToken } from './queries/agent-tokens.ts'
import type { Db } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { recordEvents } from '../events.ts'
import { newOpaqueId } from '../ids.ts'
import { newCredential, storedText } from './credential-text.ts'

export async function makeAgentToken(
  deps: Deps,
  tx: Db,
  clusterId: string,
): Promise<{ tokenId: string; token: string; createdAt: Date }> {
  const now = deps.now()
  const id = newOpaqueId(now)
  const { text, secret } = newCredential('pla', id)
  await insertAgentToken(tx, {
    tokenId: `agt_${id}`,
    clusterId,
    mac: deps.secrets.mac(storedText('pla', secret)),
    now,
  })
  const subject = { type: 'agent_token', id: `agt_${id}` }
  await recordEvents(tx, [{ kind: 'agent_token.create', at: now, clusterId, subject }])
  return { tokenId: `agt_${id}`, token: text, createdAt: now }
}
