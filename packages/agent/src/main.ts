// plimsoll-agent: observe, shape, send. The only file that reads the environment, the clock and chance.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sayWhatIsMissing } from './observe/say-what-is-missing.ts'
import { sleepSeconds } from './observe/sleep.ts'
import { Agent } from './run/agent.ts'
import { dryFetch } from './run/dry-fetch.ts'
import { openLog } from './run/log.ts'
import { historyOf, openCluster } from './run/open-cluster.ts'
import { payloadLines } from './run/print-payload.ts'
import { ServerClock } from './run/server-clock.ts'
import { askServerTime } from './run/server-time.ts'
import { BadSetting, help, readSettings, type AgentSettings } from './run/settings.ts'
import { openStatusServer } from './run/status-server.ts'
import { hashedObserver, hasher } from './shape/hash-names.ts'

const log = openLog(
  (line) => process.stderr.write(line),
  () => new Date(),
)
const monotonic = () => performance.now() / 1000
const wallClock = () => Date.now() / 1000
/** For what is printed or sent once: usage is looked at several times before. */
const onceSeconds = 40

try {
  const settings = readSettings(process.argv.slice(2), process.env)
  if (settings) await main(settings)
  else console.log(help)
} catch (error) {
  if (!(error instanceof BadSetting)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(settings: AgentSettings): Promise<void> {
  const isSending = settings.mode === 'run' || settings.mode === 'once'
  const clock = new ServerClock(monotonic, isSending ? await askServerTime(settings.url, wallClock) : wallClock())
  const open = { env: process.env, now: () => clock.now() * 1000, random: () => Math.random() }
  const plain = await openCluster(settings, open)
  const hash = settings.hashNames ? hasher(await hashKey(settings, () => plain.clusterUid())) : undefined
  const observer = hash ? hashedObserver(plain, hash) : plain
  if (settings.mode === 'print-payload') {
    await Promise.race([observer.synced.then(() => wait(onceSeconds * 1000)), untilStopped()])
    for await (const line of payloadLines(observer, Math.floor(clock.now()))) console.log(line)
    return observer.stop()
  }
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  if (settings.mode === 'once') void observer.synced.then(() => wait(onceSeconds * 1000)).then(() => stop.abort())
  const directory = isSending ? settings.dataDir : await mkdtemp(join(tmpdir(), 'plimsoll-agent-'))
  const agent = new Agent({
    url: settings.url,
    readToken: async () => (isSending ? (await readFile(settings.tokenFile, 'utf8')).trim() : ''),
    monotonic,
    random: () => Math.random(),
    log,
    observer,
    clock,
    outbox: {
      directory,
      bytesMax: settings.logBytesMax,
      onProgressError: (error) => log('error', 'progress could not be written', { detail: String(error) }),
    },
    newEpochId: () => randomBytes(12).toString('hex'),
    ...historyOf(settings, { observer: plain, clock, signal: stop.signal, ...(hash ? { rename: hash } : {}) }),
    ...(isSending ? {} : { fetch: dryFetch(log, () => clock.now()) }),
  })
  const status = settings.port > 0 && settings.mode !== 'once' ? await openStatusServer(statusOf, settings) : undefined
  const say = (missing: object) => log('warn', 'waiting until everything is listed', { missing })
  void sayWhatIsMissing(plain, { say, sleep: sleepSeconds }, stop.signal)
  log('info', 'looking at the cluster', { mode: settings.mode, url: settings.url, data_dir: directory })
  await agent.run(stop.signal)
  status?.close()
  if (!isSending) await rm(directory, { recursive: true, force: true })
  if (settings.mode === 'once' && agent.sender?.connection.kind !== 'connected') process.exitCode = 1
  log('info', 'stopped', { ...agent.sender?.counts })

  function statusOf() {
    const none = { requests: 0, accepted: 0, duplicates: 0, conflicts: 0, bytes: 0 }
    return {
      freshness: observer.freshness(),
      connection: agent.sender?.connection ?? ({ kind: 'unknown' } as const),
      pending: agent.outbox?.pending() ?? { live: 0, backlog: 0 },
      bytes: agent.outbox?.bytes ?? 0,
      losses: agent.outbox?.losses ?? { dropped: 0, damaged: 0, refused: 0 },
      counts: agent.sender?.counts ?? none,
      now: clock.now() * 1000,
      memoryBytes: process.memoryUsage.rss(),
    }
  }
}

/** Without a secret of one's own, whoever knows the cluster can still find out which of the names they guess are there. */
async function hashKey({ hashKeyFile }: AgentSettings, clusterUid: () => Promise<string>): Promise<string> {
  return hashKeyFile === undefined ? clusterUid() : (await readFile(hashKeyFile, 'utf8')).trim()
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}
