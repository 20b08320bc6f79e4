import { setTimeout as sleep } from 'node:timers/promises'
import type { Runner } from 'graphile-worker'
import type { FastifyBaseLogger } from 'fastify'

const restartMs = 1_000

/** How long a queue may take to end: without the database it may never end. */
const endingMsMax = 5_000

/** In a row. Each worker polls every two seconds, so this is several seconds of an unavailable database. */
const failuresMax = 6

/**
 * The queue gives up when it cannot store the end of a job, and it caches a failed query of its start forever: both
 * happen when the database restarts. It is restarted until it is stopped, or no job would run again in this process.
 */
export async function keepRunning(
  start: () => Promise<Runner>,
  log: FastifyBaseLogger,
): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController()
  let runner = await start()

  const watch = async () => {
    while (!stopping.signal.aborted) {
      const reason = await ended(runner)
      if (stopping.signal.aborted) return
      log.warn({ err: reason }, 'the job queue stopped; restarting it')
      // A queue that has ended reports its error here again.
      await Promise.race([runner.stop().catch(asIs), sleep(endingMsMax)])
      runner = (await restart()) ?? runner
    }
  }
  const restart = async (): Promise<Runner | undefined> => {
    await sleep(restartMs, undefined, { signal: stopping.signal }).catch(asIs)
    if (stopping.signal.aborted) return undefined
    return start().catch((error: unknown) => {
      log.error({ err: error }, 'cannot start the job queue; retrying')
      return undefined
    })
  }

  const watching = watch()
  return {
    stop: async () => {
      stopping.abort()
      await runner.stop().catch(asIs)
      await watching
      // It may have been restarted meanwhile.
      await runner.stop().catch(asIs)
    },
  }
}

/** Resolves with the reason when the queue has ended, is ending, or cannot poll. */
function ended({ promise, events }: Runner): Promise<unknown> {
  return new Promise((resolve) => {
    promise.then(() => resolve(undefined), resolve)
    events.once('pool:gracefulShutdown', ({ message }) => resolve(new Error(message)))
    let failures = 0
    events.on('worker:getJob:empty', () => (failures = 0))
    events.on('job:start', () => (failures = 0))
    events.on('worker:getJob:error', ({ error }) => {
      failures += 1
      if (failures >= failuresMax) resolve(error)
    })
  })
}

const asIs = (error: unknown) => error
