import type { Db } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { recordEvents } from '../events.ts'
import { expireAgentTokens } from './queries/agent-tokens.ts'

/** Sets the expiry of the current tokens of a cluster, with an event for each. */
export async function endAgentTokens({ now }: Deps, tx: Db, clusterId: string, at: Date): Promise<void> {
  const tokenIds = await expireAgentTokens(tx, clusterId, at)
  const events = tokenIds.map((id) => {
    const subject = { type: 'agent_token', id }
    return { kind: 'agent_token.expire' as const, at: now(), clusterId, subject, data: { expires_at: at } }
  })
  await recordEvents(tx, events)
}
