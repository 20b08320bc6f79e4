import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from './exists.ts'
import { isInUse } from './send-signal.ts'

/** `lost` resolves when the connection has ended for any reason. */
export type Session = { client: pg.Client; lost: Promise<void> }

export type Answer =
  { kind: 'connected'; session: Session } | { kind: 'starting' } | { kind: 'silent' } | { kind: 'wrong-password' }

/** To the database `postgres`, which always exists: advisory locks are per database, so all must use the same. */
export async function openSession(port: number, password: string): Promise<Answer> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'plimsoll',
    password,
    database: 'postgres',
    application_name: `plimsoll ${process.pid}`,
    ssl: false,
    connectionTimeoutMillis: 2_500,
  })
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  // Without a listener the end of the server would end this process. The holder of the session watches `lost`.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { kind: 'connected', session: { client, lost } }
  } catch (error) {
    return { kind: kindOf(error) }
  }
}

const stillBusy = ['57P03', '53300'] // starting, recovering or stopping; too many connections

function kindOf(error: unknown) {
  if (hasCode(error, '28P01')) return 'wrong-password'
  return hasCode(error, ...stillBusy) ? 'starting' : 'silent'
}

const ownerLock = [1886153069, 1] // 'plim'

/**
 * The lock ends with the session, and the session with its process, so a crash releases it. Returns the holder if it is
 * another process.
 */
export async function takeOwnerLock({ client }: Session): Promise<{ taken: true } | { taken: false; holder: number }> {
  const deadline = performance.now() + 5_000
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', ownerLock)
    if (rows[0]?.taken) return { taken: true }
    // PostgreSQL needs a moment to detect a killed process.
    const holder = await findLockHolder(client)
    if (isInUse(holder) || performance.now() > deadline) return { taken: false, holder }
    await sleep(50)
  }
}

async function findLockHolder(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: string }>(
    `select substring(application_name from '[0-9]+$') as pid from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    ownerLock,
  )
  return Number(rows[0]?.pid)
}
