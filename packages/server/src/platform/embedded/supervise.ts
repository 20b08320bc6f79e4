import { setTimeout as sleep } from 'node:timers/promises'
import { claimServer, type OwnedClaim, type Server } from './claim-server.ts'
import { stopPostmaster } from './postmaster.ts'

/**
 * Keeps the server running on the same port, owned until `stop`. The connection with the lock is the sensor: when the
 * server or one of its processes is killed, PostgreSQL ends all connections.
 */
export function supervise(server: Server, first: OwnedClaim): { stop: () => Promise<void> } {
  const { log } = server
  const { port } = first.postmaster
  const stopping = new AbortController()
  // Undefined while another process holds the lock: then this process must not stop the server.
  let owned: OwnedClaim | undefined = first
  let attempt = Promise.resolve()
  let stopped: Promise<void> | undefined

  async function watch() {
    while (!stopping.signal.aborted) {
      await owned?.session.lost
      if (stopping.signal.aborted) return
      attempt = regain()
      await attempt
    }
  }

  async function regain() {
    log.warn({ port }, 'the embedded PostgreSQL stopped; restarting it')
    try {
      const claim = await claimServer(server, port)
      owned = claim.kind === 'owned' ? claim : undefined
      if (claim.kind === 'owned')
        return log.info({ port, pid: claim.postmaster.pid }, 'embedded PostgreSQL is running again')
      log.error({ holder: claim.holder }, 'another Plimsoll process has taken over the embedded PostgreSQL')
    } catch (err) {
      log.error({ err }, 'cannot start the embedded PostgreSQL; retrying')
    }
    await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined)
  }

  const watching = watch()

  async function stopNow() {
    stopping.abort()
    // A restart in progress ends first, so that no process remains.
    await attempt
    if (owned) await stopPostmaster(owned.postmaster)
    await owned?.session.client.end()
    await watching
  }

  return { stop: () => (stopped ??= stopNow()) }
}
