import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'
import type { DataDir } from './data-dir.ts'
import type { Log } from './log.ts'
import { findFreePort } from './free-port.ts'
import type { Installation } from './installation.ts'
import { endLeftoverProcesses } from './leftover-processes.ts'
import { passwordLost } from './password.ts'
import {
  findPostmaster,
  isRunning,
  killPostmaster,
  startPostmaster,
  stopPostmaster,
  type Postmaster,
} from './postmaster.ts'
import { openSession, takeOwnerLock, type Answer, type Session } from './session.ts'

export type Server = {
  dataDir: DataDir
  installation: Installation
  password: string
  settings: Record<string, string>
  log: Log
}

export type Claim =
  { kind: 'owned'; postmaster: Postmaster; session: Session; adopted: boolean } | { kind: 'taken'; holder: number }
export type OwnedClaim = Extract<Claim, { kind: 'owned' }>

const givesUpAfterMs = 60_000
/** A running server answers at once or not at all. */
const adoptsWithinMs = 5_000

/**
 * Finds the running server of this directory or starts one, and becomes its owner. PostgreSQL allows one server per
 * directory and the lock allows one owner, so one of several concurrent starts wins.
 */
export async function claimServer(server: Server, port?: number): Promise<Claim> {
  const deadline = performance.now() + givesUpAfterMs
  for (;;) {
    const running = await findPostmaster(server.dataDir.cluster)
    const postmaster = running ?? (await startPostmaster({ ...server, port: port ?? (await findFreePort()) }))
    const answer = await waitForAnswer(server, postmaster)

    if (answer.kind === 'wrong-password') throw await refusePassword(server, postmaster)
    if (answer.kind === 'silent') await replaceSilent(server, postmaster)
    if (answer.kind === 'ended') await refuseHopeless(server, postmaster, deadline)
    if (answer.kind === 'connected') {
      const claim = await own(postmaster, answer.session, port)
      if (claim) return claim
    }
    await sleep(100)
  }
}

/** Undefined if the server has ended, or had to be ended because it listens on another port. */
async function own(postmaster: Postmaster, session: Session, port = postmaster.port): Promise<Claim | undefined> {
  const lock = await takeOwnerLock(session).catch(() => undefined)
  if (lock?.taken && postmaster.port === port) {
    return { kind: 'owned', postmaster, session, adopted: postmaster.started === undefined }
  }
  if (lock?.taken) await stopPostmaster(postmaster)
  await session.client.end()
  // A server that we started but another process has claimed is left running.
  return lock?.taken === false ? { kind: 'taken', holder: lock.holder } : undefined
}

type FinalAnswer = Exclude<Answer, { kind: 'starting' }> | { kind: 'ended' }

/** Replaying the log after a crash can take minutes; a server that reports that it is busy is not unresponsive. */
async function waitForAnswer({ password, log }: Server, postmaster: Postmaster): Promise<FinalAnswer> {
  const silentMsMax = postmaster.started ? givesUpAfterMs : adoptsWithinMs
  let heardAt = performance.now()
  let loggedAt = heardAt
  while (performance.now() - heardAt < silentMsMax) {
    if (!(await isRunning(postmaster))) return { kind: 'ended' }
    const answer = await openSession(postmaster.port, password)
    if (answer.kind === 'connected' || answer.kind === 'wrong-password') return answer
    if (answer.kind === 'starting') heardAt = performance.now()
    if (performance.now() - loggedAt > 10_000) {
      log.info({ pid: postmaster.pid }, 'waiting for the embedded PostgreSQL to start')
      loggedAt = performance.now()
    }
    await sleep(25)
  }
  return { kind: 'silent' }
}

async function refusePassword({ dataDir }: Server, postmaster: Postmaster) {
  if (postmaster.started) await stopPostmaster(postmaster)
  return passwordLost(dataDir)
}

async function replaceSilent({ dataDir, log }: Server, postmaster: Postmaster) {
  await killPostmaster(postmaster)
  if (postmaster.started) throw doesNotStart(dataDir, 'no response')
  log.warn({ pid: postmaster.pid }, 'stopped an orphaned PostgreSQL that did not respond')
}

/** Temporary errors: a faster start of another process, shared memory of a killed server, a port taken meanwhile. */
const passing = /lock file|shared memory block|TCP\/IP sockets/

async function refuseHopeless({ dataDir }: Server, postmaster: Postmaster, deadline: number) {
  if (!postmaster.started) return
  const reason = await lastFatalLine(dataDir.logFile, postmaster.started.logStart, postmaster.pid)
  if (reason.includes('shared memory block')) await endLeftoverProcesses(postmaster.cluster)
  if (!passing.test(reason) || performance.now() > deadline) throw doesNotStart(dataDir, reason)
}

function doesNotStart({ cluster, logFile }: DataDir, reason: string) {
  return new StartupError(`PostgreSQL cannot start in ${cluster} (${reason}). See ${logFile}.`)
}

/** Several concurrently started servers may write to the log; each line names its process. */
async function lastFatalLine(logFile: string, start: number, pid: number) {
  let text = ''
  for await (const chunk of createReadStream(logFile, { start, encoding: 'utf8' })) text += chunk
  const line = text.split('\n').findLast((candidate) => candidate.includes(`[${pid}] FATAL:`))
  return line?.replace(/^.*FATAL:\s*/, '') ?? 'no reason given'
}
