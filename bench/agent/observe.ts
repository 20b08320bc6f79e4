// Observes the API server at a port for some seconds and prints the cost: once with the agent, once with the informer
// of the library.
import type { Batch } from '@plimsoll/contract'
import { encodeBatch, EpochWriter, httpClient, openObserver } from '../../packages/agent/src/index.ts'

const [, , way, port, secondsText] = process.argv
const origin = `http://127.0.0.1:${port}`
const seconds = Number(secondsText)
const startedAt = performance.now()
const mib = (bytes: number) => Math.round(bytes / 2 ** 20)
let peak = 0
let watchPeak = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)

const { pods, stop, minute } = await (way === 'informer' ? withInformer() : withObserver())
const syncedSeconds = (performance.now() - startedAt) / 1000
clearInterval(watchPeak)
// Polling twenty times a second would cost as much as watching a small cluster.
watchPeak = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 2_000)
const cpuAtSync = process.cpuUsage()
const peakAtSync = Math.max(peak, process.memoryUsage.rss())
await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
// Writing the minute is part of the cost.
const bytes = minute()
const { user, system } = process.cpuUsage(cpuAtSync)
console.log(
  JSON.stringify({
    way,
    pods: pods(),
    synced_seconds: Number(syncedSeconds.toFixed(1)),
    sync_cpu_seconds: Number(((cpuAtSync.user + cpuAtSync.system) / 1e6).toFixed(1)),
    peak_mib_at_sync: mib(peakAtSync),
    rss_mib: mib(process.memoryUsage.rss()),
    peak_mib: mib(Math.max(peak, process.memoryUsage.rss())),
    ...(bytes === undefined ? {} : { bytes_per_minute: Math.round((bytes * 60) / seconds) }),
    cpu_percent: Number((((user + system) / 1e6 / seconds) * 100).toFixed(2)),
  }),
)
clearInterval(watchPeak)
await stop()
process.exit(0)

async function withObserver() {
  const client = httpClient({ origin, credentials: async () => ({ headers: {}, tls: {} }) })
  const observer = openObserver({
    client,
    version: 'bench',
    now: Date.now,
    log: () => undefined,
    random: Math.random,
  })
  await observer.synced
  const second = () => Math.floor(Date.now() / 1000)
  const writer = new EpochWriter({ agent: () => observer.facts(), epoch: 'bench' })
  const sizeOf = (batches: Iterable<Batch>) => {
    let size = 0
    for (const batch of batches) size += encodeBatch({ batch, epoch: 'bench', seq: 1 }, 'bench').body.length
    return size
  }
  const living = observer.living(second())
  const count = living.pods.length
  console.log(`a snapshot of ${count} pods: ${sizeOf(writer.snapshot(living, second()))} bytes`)
  const minute = () => sizeOf(writer.minute(observer.takeMinute(Math.floor(Date.now() / 60_000) - 1)))
  return { pods: () => count, minute, stop: () => observer.stop() }
}

async function withInformer() {
  const { KubeConfig, makeInformer, CoreV1Api } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromClusterAndUser({ name: 'c', server: origin, skipTLSVerify: true }, { name: 'u' })
  const api = config.makeApiClient(CoreV1Api)
  const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces())
  informer.on('error', (error: unknown) => console.log(`the informer stopped: ${String(error)}`))
  await informer.start()
  return { pods: () => informer.list().length, minute: () => undefined, stop: () => informer.stop() }
}
