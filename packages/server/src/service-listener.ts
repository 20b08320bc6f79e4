import type { MessagePort } from 'node:worker_threads'
import type { FirstAdmin } from './people/first-admin.ts'
import { beatEveryMs, startBeating } from './platform/heartbeat.ts'
import { makeLog } from './platform/log.ts'
import { startService, type ServiceConfig } from './service.ts'
import { StartupError } from './platform/startup-error.ts'

export type ServiceWorkerData = { config: ServiceConfig; beats: SharedArrayBuffer }

export type ServiceReply = { kind: 'started'; firstAdmin: FirstAdmin } | { kind: 'refused'; message: string }

/** Runs the service in this thread until the main thread sends `stop`, also during the start. */
export async function listenForStop(port: MessagePort, { config, beats }: ServiceWorkerData): Promise<void> {
  startBeating(beats, beatEveryMs)
  const reply = (message: ServiceReply) => port.postMessage(message)
  const stopRequested = new Promise<void>((resolve) => port.once('message', () => resolve()))
  try {
    const { firstAdmin, stop } = await startService(config, makeLog(config.logLevel), () => new Date())
    reply({ kind: 'started', firstAdmin })
    await stopRequested
    await stop()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    reply({ kind: 'refused', message: error.message })
  }
  // Ends this thread alone, with everything open in it.
  process.exit()
}
