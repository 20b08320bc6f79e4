// plimsoll-agent: observe, shape, send. Only this file reads the environment, the clock and random numbers.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observer } from './observer.ts'
import { logMissingAccess } from './observe/log-missing-access.ts'
import { sleepSeconds } from './observe/sleep.ts'
import { Agent } from './run/agent.ts'
import { checkPlaces } from './run/check-places.ts'
import { dryFetch } from './run/dry-fetch.ts'
import { openLog } from './log.ts'
import { historyOf, openCluster } from './run/open-cluster.ts'
import { payloadLines } from './run/print-payload.ts'
import { seenEnough } from './run/seen-enough.ts'
import { ServerClock } from './run/server-clock.ts'
import { askServerTime } from './run/server-time.ts'
import { BadSetting, help, readSettings, type AgentSettings } from './run/settings.ts'
import { openStatusServer } from './run/status-server.ts'
import type { Status } from './run/status.ts'
import { readTokenFile } from './run/token-file.ts'
import { hashedObserver, hasher } from './shape/hash-names.ts'

const log = openLog(
  (line) => process.stderr.write(line),
  () => new Date(),
)
const monotonic = () => performance.now() / 1000
const wallClock = () => Date.now() / 1000
const logInfo = (message: string, fields?: object) => log('info', message, fields)

try {
  const settings = readSettings(process.argv.slice(2), process.env)
  if (settings) await main(settings)
  else console.log(help)
} catch (error) {
  if (!(error instanceof BadSetting)) throw error
  console.error(error.message)
  // Ends all pending work.
  process.exit(1)
}

async function main(settings: AgentSettings): Promise<void> {
  const isSending = settings.mode === 'run' || settings.mode === 'once'
  if (isSending) await checkPlaces(settings, log)
  const clock = new ServerClock(monotonic, isSending ? await askServerTime(settings.url, wallClock) : wallClock())
  const open = { env: process.env, now: () => clock.now() * 1000, log, random: () => Math.random() }
  const plain = await openCluster(settings, open)
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const hash = settings.hashNames ? hasher(await hashKey(settings, plain, stop.signal)) : undefined
  const observer = hash ? hashedObserver(plain, hash) : plain
  sayMissing(plain, settings, stop.signal)
  const look = { logInfo, sleep: sleepSeconds }
  if (settings.mode === 'print-payload') {
    await seenEnough(observer, look, stop.signal)
    if (!stop.signal.aborted) for (const line of payloadLines(observer, Math.floor(clock.now()))) console.log(line)
    return observer.stop()
  }
  const directory = isSending ? settings.dataDir : await mkdtemp(join(tmpdir(), 'plimsoll-agent-'))
  const agent = new Agent({
    url: settings.url,
    readToken: async () => (isSending ? readTokenFile(settings.tokenFile) : ''),
    monotonic,
    random: () => Math.random(),
    log,
    observer,
    clock,
    outbox: {
      directory,
      bytesMax: settings.logBytesMax,
      onProgressError: (error) => log('error', 'cannot write the progress file', { detail: String(error) }),
    },
    newEpochId: () => randomBytes(12).toString('hex'),
    ...historyOf(settings, { observer: plain, clock, signal: stop.signal, ...(hash ? { rename: hash } : {}) }),
    ...(isSending ? {} : { isDry: true, fetch: dryFetch(log, () => clock.now()) }),
  })
  if (settings.mode === 'once') {
    void Promise.all([seenEnough(observer, look, stop.signal), agent.begun]).then(() => stop.abort())
  }
  const status = await openStatus(settings, () => statusOf(agent, observer, clock))
  logInfo('agent started', { mode: settings.mode, url: settings.url, data_dir: directory })
  if (!isSending) logInfo('dry run: no data is sent; press Ctrl-C to stop')
  await agent.run(stop.signal)
  status?.close()
  if (!isSending) await rm(directory, { recursive: true, force: true })
  if (settings.mode === 'once' && agent.sender?.connection.kind !== 'connected') process.exitCode = 1
  const { accepted = 0, bytes = 0 } = agent.sender?.counts ?? {}
  if (isSending) logInfo('stopped', { ...agent.sender?.counts })
  else logInfo('dry run stopped: no data was sent; batch totals', { batches: accepted, bytes })
}

/** One-shot modes log missing permissions every 10 seconds, because a user waits for the result. */
function sayMissing(observer: Observer, { mode }: AgentSettings, signal: AbortSignal): void {
  const everySeconds = mode === 'run' ? 60 : 10
  const sayIt = (missing: object) => log('warn', 'waiting for the initial list of all resources', { missing })
  void logMissingAccess(observer, { log: sayIt, sleep: sleepSeconds, everySeconds }, signal)
}

/** The mode `once` ends by itself, so it needs no status server. */
async function openStatus(settings: AgentSettings, status: () => Status) {
  if (settings.port === 0 || settings.mode === 'once') return undefined
  return openStatusServer(status, settings).catch((error: unknown) => {
    throw new BadSetting(`The agent cannot listen on port ${settings.port}: ${(error as Error).message}.`)
  })
}

function statusOf(agent: Agent, observer: Observer, clock: ServerClock): Status {
  return {
    freshness: observer.freshness(),
    connection: agent.sender?.connection ?? { kind: 'unknown' },
    pending: agent.outbox?.pending() ?? { live: 0, backlog: 0 },
    bytes: agent.outbox?.bytes ?? 0,
    losses: agent.outbox?.losses ?? { dropped: 0, damaged: 0, refused: 0 },
    counts: agent.sender?.counts ?? { requests: 0, accepted: 0, duplicates: 0, conflicts: 0, bytes: 0 },
    now: clock.now() * 1000,
    memoryBytes: process.memoryUsage.rss(),
  }
}

/** Without a secret key, anyone who knows the cluster uid can test guessed names against the hashes. */
async function hashKey({ hashKeyFile }: AgentSettings, observer: Observer, signal: AbortSignal): Promise<string> {
  if (hashKeyFile === undefined) return patientUid(observer, signal)
  const key = await readFile(hashKeyFile, 'utf8').catch((error: Error) => {
    throw new BadSetting(`PLIMSOLL_HASH_KEY_FILE cannot be read: ${error.message}.`)
  })
  if (key.trim() === '') throw new BadSetting(`PLIMSOLL_HASH_KEY_FILE, ${hashKeyFile}, is empty.`)
  return key.trim()
}

/** Retries, because the API server may be unavailable for a moment. */
async function patientUid(observer: Observer, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return await observer.clusterUid()
    } catch (error) {
      if (signal.aborted) throw new BadSetting('Stopped before the agent read the cluster UID.')
      log('warn', 'cannot read the cluster UID', { detail: String(error) })
      await sleepSeconds(5, signal)
    }
  }
}
