import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import {
  aDataDirWithCluster,
  aLog,
  countRows,
  postmasterPid,
  query,
  start,
  useSandbox,
} from '../../../test/embedded-sandbox.ts'
import { patience } from '../../../test/patience.ts'

useSandbox()

const isBack = { ...patience, interval: 50 }

/** Writes rows until the connection breaks; returns the number of acknowledged rows. */
async function writeUntilBroken(url: string) {
  let acknowledged = 0
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  for (;;) {
    const written = await client.query('insert into written values ($1)', [acknowledged + 1]).catch(() => undefined)
    if (!written) return acknowledged
    acknowledged++
  }
}

test('kill -9 of the server: it returns on the same address with every acknowledged row', async () => {
  const dataDir = await aDataDirWithCluster()
  const log = aLog()
  const { url } = await start(dataDir, { log })
  await query(url, 'create table written (id int primary key)')
  const writing = writeUntilBroken(url)
  await sleep(200)
  const killed = await postmasterPid(dataDir)

  process.kill(killed, 'SIGKILL')

  const acknowledged = await writing
  expect(acknowledged).toBeGreaterThan(0)
  expect(await vi.waitFor(() => countRows(url), isBack)).toBeGreaterThanOrEqual(acknowledged)
  expect(await postmasterPid(dataDir)).not.toBe(killed)
  await vi.waitFor(
    () => expect(log.info).toHaveBeenLastCalledWith(expect.anything(), 'embedded PostgreSQL is running again'),
    isBack,
  )
  await expect(start(dataDir)).rejects.toThrow('Another Plimsoll process')
})

test('kill -9 while an orphaned process still runs a query does not delay the restart', async () => {
  const dataDir = await aDataDirWithCluster()
  const { url } = await start(dataDir)
  const busy = query(url, `select count(*) from generate_series(1, 1e9::bigint)`).catch(() => 'ended')
  await sleep(300)

  process.kill(await postmasterPid(dataDir), 'SIGKILL')

  expect(await vi.waitFor(() => query(url, 'select 1 as one'), isBack)).toEqual([{ one: 1 }])
  expect(await busy).toBe('ended')
})

test('kill -9 of one process of the server: the lock is taken again', async () => {
  const dataDir = await aDataDirWithCluster()
  const log = aLog()
  const { url } = await start(dataDir, { log })
  const [row] = (await query(url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`)) as [
    { pid: number },
  ]

  process.kill(row.pid, 'SIGKILL')

  await vi.waitFor(
    () => expect(log.info).toHaveBeenLastCalledWith(expect.anything(), 'embedded PostgreSQL is running again'),
    20_000,
  )
  await expect(start(dataDir)).rejects.toThrow('Another Plimsoll process')
})

test('stop leaves no process, even during a restart and when called twice', async () => {
  const dataDir = await aDataDirWithCluster()
  const { stop } = await start(dataDir)
  process.kill(await postmasterPid(dataDir), 'SIGKILL')

  await Promise.all([stop(), sleep(100).then(stop)])

  await sleep(300)
  await expect(postmasterPid(dataDir)).rejects.toThrow('no server runs')
})
