import type { Prometheus } from './prometheus-client.ts'
import { throttlingSeconds } from './read-throttling.ts'
import type { ContainerName } from './container-name.ts'
import type { UsageSource } from './usage-source.ts'

const by = 'by (namespace, pod, container)'
const containers = 'container!="",container!="POD",pod!=""'

/** The window of the usage rate: it must contain at least two scrapes. */
const windowSeconds = 120

export const cpuQuery = (seconds: number) =>
  `sum ${by} (rate(container_cpu_usage_seconds_total{${containers}}[${seconds}s]))`
export const memoryQuery = `max ${by} (container_memory_working_set_bytes{${containers}})`

/** Usage from Prometheus. */
export function prometheusUsage(prometheus: Prometheus, everySeconds: () => number): UsageSource {
  return {
    name: 'prometheus',
    sample: async (sink, signal) => {
      await prometheus.query(cpuQuery(windowSeconds), signal, ({ labels, values }) => {
        const [time, cores] = values.at(-1) ?? []
        // Each sample covers the time until the next one, whatever the rate window is.
        if (time !== undefined && cores !== undefined) {
          sink.cpuRate(nameOf(labels), cores, everySeconds(), time * 1000)
        }
      })
      await prometheus.query(memoryQuery, signal, ({ labels, values }) => {
        const bytes = values.at(-1)?.[1]
        if (bytes !== undefined) sink.memory(nameOf(labels), bytes / 1024)
      })
    },
    throttling: async (sink, { turn }, signal) => {
      // One query covers all containers.
      if (turn > 0) return
      const periods = new Map<string, number>()
      await prometheus.query(increaseQuery('container_cpu_cfs_periods_total'), signal, ({ labels, values }) => {
        const count = values.at(-1)?.[1]
        if (count !== undefined) periods.set(keyOf(nameOf(labels)), Math.round(count))
      })
      await prometheus.query(increaseQuery('container_cpu_cfs_throttled_periods_total'), signal, (series) => {
        const name = nameOf(series.labels)
        const count = series.values.at(-1)?.[1]
        const all = periods.get(keyOf(name))
        if (count !== undefined && all !== undefined) {
          sink.increase(name, { periods: all, throttledPeriods: Math.round(count) })
        }
      })
    },
  }
}

const increaseQuery = (counter: string) => `sum ${by} (increase(${counter}{${containers}}[${throttlingSeconds}s]))`

const keyOf = ({ namespace, pod, container }: ContainerName) => `${namespace}/${pod}/${container}`

export const nameOf = ({ namespace = '', pod = '', container = '' }: Record<string, string>) => ({
  namespace,
  pod,
  container,
})
