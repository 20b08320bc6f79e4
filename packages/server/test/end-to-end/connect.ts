import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedCluster, LoginResult } from '@plimsoll/contract'
import { call, startServer } from '../server-process.ts'
import { startAgent } from './agent-process.ts'
import type { RealCluster } from './real-cluster.ts'

const admin = { email: 'admin@example.com', password: 'correct horse battery' }

/** On a busy machine the database may not respond in time. The service then asks for another try. */
const retriesMax = 12

export type Ask = <Body>(path: string, body?: object) => Promise<Body>

export type Connected = {
  clusterId: string
  /** Calls the API as an admin: GET, or POST with a body. Throws unless the response is a success. */
  ask: Ask
  agentLog: () => string
  stop: () => Promise<void>
}

/** Where to send the past of a cluster, before its agent starts. */
export type PastTarget = { url: string; agentToken: string; clusterId: string; ask: Ask }

/** An empty server, the permissions of its agents, and an agent that reports with exactly these permissions. */
export async function connect(
  cluster: RealCluster,
  name: string,
  agentArgs: readonly string[],
  sendPast?: (target: PastTarget) => Promise<void>,
): Promise<Connected> {
  const server = await startServer({
    PLIMSOLL_DATA_DIR: join(cluster.directory, `server-${name}`),
    PLIMSOLL_ADMIN_EMAIL: admin.email,
    PLIMSOLL_ADMIN_PASSWORD: admin.password,
  })
  const login = await call(server, '/auth/login', { method: 'POST', body: admin })
  const headers = { authorization: `Bearer ${(login.body as LoginResult).token}` }
  const ask: Ask = async <Body>(path: string, body?: object) => {
    const send = () => call(server, path, { headers, ...(body ? { method: 'POST', body } : {}) })
    let answer = await send()
    for (let retries = 0; answer.status === 503 && retries < retriesMax; retries += 1) {
      await sleep(5000)
      answer = await send()
    }
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Body
  }
  const { id, agent_token: agentToken = '' } = await ask<CreatedCluster>('/api/v1/clusters', { name })
  const url = `http://127.0.0.1:${server.port}`
  await cluster.kubectl('apply', '-f', `${url}/install/agent.yaml`)
  await sendPast?.({ url, agentToken, ask, clusterId: id })
  const agent = await startAgent(cluster, { name, url, agentToken, args: agentArgs })
  const stop = async () => {
    await agent.stop()
    // Not killed: its PostgreSQL stops with it.
    await server.stop()
  }
  return { clusterId: id, ask, agentLog: agent.log, stop }
}
