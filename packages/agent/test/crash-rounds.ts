import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { DiskQueue } from '../src/queue/disk-queue.ts'
import { decodeRecord } from '../src/send/log-record.ts'
import { readBody } from '../src/shape/encode.ts'
import { Recorder } from './recorder.ts'
import { START } from './scripted-observer.ts'

export type CrashReport = {
  kills: number
  epochs: number
  requests: number
  /** Responses that were dropped, delayed or changed. */
  spoiled: number
  /** How often each minute was accepted, from the first to the last. */
  minutes: number[]
  gaps: string[]
  /** The number of records on disk at the end. */
  left: number
}

/** A minute takes 120 ms. */
const speed = 500

/** The maximum number of requests before a kill, and the maximum delay after them in milliseconds. */
const killAfter = { requestsMax: 3, millisecondsMax: 60 }
/** After this many minutes the cluster of the last agent stops changing, so that a slow disk can catch up. */
const minutesInPeace = 3.5

/**
 * Kills a real process with SIGKILL at random times, while its server drops, delays and repeats responses. The cluster
 * pauses while no agent runs: the next agent continues with the first minute that is neither on disk nor accepted.
 */
export async function runCrashRounds({
  rounds,
  random,
}: {
  rounds: number
  random: () => number
}): Promise<CrashReport> {
  const directory = await mkdtemp(join(tmpdir(), 'plimsoll-agent-crash-'))
  const server = await openSpoilingServer(random)
  try {
    const bundle = join(directory, 'crash-agent.mjs')
    await bundleAgent(bundle)
    const data = join(directory, 'data')
    const start = async (minutes = Infinity) =>
      startAgent(bundle, { url: server.url, data, at: await nextMinute(data, server.recorder), minutes })
    for (let round = 0; round < rounds; round += 1) {
      const agent = await start()
      const requests = Math.floor(random() * (killAfter.requestsMax + 1))
      for (let count = 0; count < requests; count += 1) await nextRequest(server, agent)
      await sleep(random() * killAfter.millisecondsMax)
      agent.child.kill('SIGKILL')
      await agent.exited
    }
    server.calm()
    // A stopped agent leaves unaccepted records on disk.
    for (let left = 1; left > 0; left = (await recordsIn(data)).length)
      await runInPeace(await start(minutesInPeace), server)
    return report(rounds, server, (await recordsIn(data)).length)
  } finally {
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Waits for a request of the agent. An agent that exits would never send one. */
async function nextRequest({ arrivals }: SpoilingServer, { exited, log }: RunningAgent): Promise<void> {
  const ended = exited.then((code) => {
    throw new Error(`the agent ended with ${code}: ${log()}`)
  })
  await Promise.race([once(arrivals, 'request'), ended])
}

/** Runs until every minute has arrived, including one of this agent. */
async function runInPeace(agent: RunningAgent, server: SpoilingServer): Promise<void> {
  const { recorder } = server
  const first = START / 60
  const before = Math.max(first, ...recorder.minutes().keys())
  const isComplete = () => {
    const minutes = recorder.minutes()
    const last = Math.max(...minutes.keys())
    return last > before && minutes.size === last - first + 1
  }
  while (!isComplete()) await nextRequest(server, agent)
  agent.child.kill('SIGTERM')
  const code = await agent.exited
  if (code !== 0) throw new Error(`the agent ended with ${code}: ${agent.log()}`)
}

function report(kills: number, { recorder, counts }: SpoilingServer, left: number): CrashReport {
  const minutes = recorder.minutes()
  const last = Math.max(...minutes.keys())
  const first = START / 60
  return {
    kills,
    ...counts,
    epochs: new Set([...recorder.kept.values()].map(({ epoch }) => epoch)).size,
    minutes: Array.from({ length: last - first + 1 }, (_each, index) => minutes.get(first + index) ?? 0),
    gaps: recorder.gaps(),
    left,
  }
}

type SpoilingServer = Awaited<ReturnType<typeof openSpoilingServer>>

async function openSpoilingServer(random: () => number) {
  const recorder = new Recorder()
  const counts = { requests: 0, spoiled: 0 }
  /** Emits `request` for each received request, whatever the response is. */
  const arrivals = new EventEmitter()
  let isCalm = false
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    counts.requests += 1
    // The first response always fails, even if there are few requests.
    const chance = isCalm ? 1 : counts.requests === 1 ? 0 : random()
    if (chance < 0.5) counts.spoiled += 1
    // The request is lost, or the server fails.
    if (chance < 0.15) return void request.socket.destroy()
    if (chance < 0.25) return void response.writeHead(503, { 'retry-after': '1' }).end('{}')
    const receive = () => recorder.receive(request.headers as Record<string, string>, Buffer.concat(chunks))
    const { status, body } = receive()
    // The batch is accepted, but the response is lost.
    if (chance < 0.35) return void request.socket.destroy()
    if (chance < 0.45) await sleep(random() * 100)
    if (chance < 0.5) receive()
    response.writeHead(status).end(JSON.stringify({ ...body, server_time: '' }))
  }
  const server = createServer((request, response) => {
    // The client may have been killed in the meantime.
    answer(request, response)
      .catch(() => response.destroy())
      .finally(() => arrivals.emit('request'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    recorder,
    counts,
    arrivals,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calm: () => void (isCalm = true),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bundleAgent(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('fixtures/crash-agent.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
}

type RunningAgent = { child: ChildProcess; exited: Promise<number | null>; log: () => string }

/** Resolves when the agent starts reporting. */
async function startAgent(
  bundle: string,
  { url, data, at, minutes }: { url: string; data: string; at: number; minutes: number },
): Promise<RunningAgent> {
  const env = {
    PATH: process.env.PATH,
    CRASH_URL: url,
    CRASH_DIRECTORY: data,
    CRASH_START: String(at),
    CRASH_SPEED: String(speed),
    CRASH_MINUTES: String(minutes),
  }
  const child = spawn(process.execPath, [bundle], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-2000)))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  await Promise.race([once(child.stderr, 'data'), exited])
  return { child, exited, log: () => log }
}

/** The start of the first missing minute, in seconds. */
async function nextMinute(data: string, recorder: Recorder): Promise<number> {
  const onDisk = (await recordsIn(data)).flatMap(({ minutes }) => minutes)
  const last = Math.max(START / 60 - 1, ...recorder.minutes().keys(), ...onDisk)
  return (last + 1) * 60
}

/** Reads a copy, because opening a queue deletes files. */
async function recordsIn(data: string): Promise<{ minutes: number[] }[]> {
  const copy = await mkdtemp(join(tmpdir(), 'plimsoll-agent-copy-'))
  try {
    await cp(data, copy, { recursive: true }).catch(() => undefined)
    const queue = await DiskQueue.open({ directory: copy })
    const records = await Promise.all(queue.positions().map((position) => queue.read(position)))
    await queue.close()
    return records.flatMap((record) =>
      record ? [{ minutes: readBody(decodeRecord(record).body).minutes.minute }] : [],
    )
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
