import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { put } from '../manifests/render.ts'
import { patience } from '../patience.ts'

const run = promisify(execFile)

/** Directory of Prometheus, promtool and metrics-server; undefined if it is not set. */
export function findMetricsTools(): string | undefined {
  const directory = process.env.PLIMSOLL_METRICS_TOOLS
  if (directory === undefined || directory === '') {
    process.stderr.write(
      'SKIPPED: no Prometheus; build it with scripts/build-metrics-tools and set PLIMSOLL_METRICS_TOOLS\n',
    )
    return undefined
  }
  for (const name of ['prometheus', 'promtool', 'metrics-server']) {
    if (!existsSync(join(directory, name)))
      throw new Error(`PLIMSOLL_METRICS_TOOLS names ${directory}, which has no ${name}`)
  }
  return directory
}

/** Usage of a container of a pod between two seconds. */
export type UsedSeries = {
  namespace: string
  pod: string
  container: string
  from: number
  to: number
  cores: (second: number) => number
  memoryBytes: (second: number) => number
}

/** Older history in large steps, because promtool is slow; the last hours at scrape intervals. */
const stepSeconds = { past: 120, lately: 30, latelySeconds: 3 * 3600 }

function timesOf({ from, to }: UsedSeries): number[] {
  const times = []
  const isPast = (second: number) => second < to - stepSeconds.latelySeconds
  for (let at = from; at <= to; at += isPast(at) ? stepSeconds.past : stepSeconds.lately) times.push(at)
  return times
}

/** Writes the series as cAdvisor names them, in the text format of OpenMetrics. */
async function writeOpenMetrics(path: string, series: readonly UsedSeries[]): Promise<void> {
  const file = createWriteStream(path)
  const labels = ({ namespace, pod, container }: UsedSeries) =>
    `{namespace="${namespace}",pod="${pod}",container="${container}"}`
  const each = (write: (one: UsedSeries, second: number, before: number) => string) => {
    for (const one of series) {
      const times = timesOf(one)
      file.write(`${times.map((second, index) => write(one, second, times[index - 1] ?? second)).join('\n')}\n`)
    }
  }
  file.write('# TYPE container_cpu_usage_seconds counter\n')
  let counter = 0
  each((one, second, before) => {
    counter = second === one.from ? 0 : counter + one.cores(second) * (second - before)
    return `container_cpu_usage_seconds_total${labels(one)} ${counter.toFixed(3)} ${second}`
  })
  file.write('# TYPE container_memory_working_set_bytes gauge\n')
  each(
    (one, second) =>
      `container_memory_working_set_bytes${labels(one)} ${Math.round(one.memoryBytes(second))} ${second}`,
  )
  file.end('# EOF\n')
  await finished(file)
}

/** A real Prometheus with these series. */
export async function startPrometheus(
  tools: string,
  { directory, series }: { directory: string; series: readonly UsedSeries[] },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const data = join(directory, 'prometheus')
  mkdirSync(data)
  const text = join(directory, 'usage.openmetrics')
  await writeOpenMetrics(text, series)
  await run(join(tools, 'promtool'), [
    ...['tsdb', 'create-blocks-from', 'openmetrics', '--max-block-duration=24h', '--quiet', text, data],
  ])
  const config = put(join(directory, 'prometheus.yml'), 'global: {}\n')
  const url = `http://127.0.0.1:${await freePort()}`
  const args = [
    ...['--config.file', config, '--storage.tsdb.path', data, '--storage.tsdb.retention.time', '60d'],
    ...['--web.listen-address', new URL(url).host, '--log.level', 'error'],
  ]
  const child = spawn(join(tools, 'prometheus'), args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  await vi.waitFor(async () => (await fetch(`${url}/-/ready`)).ok || Promise.reject(new Error('starting')), patience)
  return { url, stop }
}
