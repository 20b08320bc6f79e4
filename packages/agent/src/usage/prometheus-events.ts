import type { Series } from './prometheus-client.ts'
import type { ContainerName } from './container-name.ts'

/** If the scrape job does not honour labels, the pod labels of kube-state-metrics have the prefix `exported_`. */
const by = 'by (namespace, pod, container, exported_namespace, exported_pod, exported_container)'

export const restartsQuery = `max ${by} (kube_pod_container_status_restarts_total)`
export const killedQuery = `max ${by} (kube_pod_container_status_last_terminated_reason{reason="OOMKilled"}) == 1`

export type PastEvents = ContainerName & { readonly restarts: number; readonly oomKills: number }

/**
 * Restarts and OOM kills from the counters of kube-state-metrics at each step. As in live data, events before the first
 * observation of a container are ignored. Of several exits within a step, only the last reason is known.
 */
export class EventSteps {
  readonly #restarts = new Map<string, { name: ContainerName; counts: Map<number, number> }>()
  /** By container: the times at which the last exit was an OOM kill. */
  readonly #killed = new Map<string, Set<number>>()

  /** Two scrape jobs give two series of a container, and each may have gaps, so the larger count is used. */
  addRestarts({ labels, values }: Series): void {
    const name = containerName(labels)
    const { counts } = getOrSet(this.#restarts, keyOf(name), () => ({ name, counts: new Map<number, number>() }))
    for (const [time, count] of values) counts.set(time, Math.max(count, counts.get(time) ?? 0))
  }

  addKilled({ labels, values }: Series): void {
    const times = getOrSet(this.#killed, keyOf(containerName(labels)), () => new Set<number>())
    for (const [time] of values) times.add(time)
  }

  events(): PastEvents[] {
    return [...this.#restarts].flatMap(([key, { name, counts }]) => {
      const killed = this.#killed.get(key)
      const values = [...counts].sort(([one], [other]) => one - other)
      let [restarts, oomKills] = [0, 0]
      values.forEach(([time, count], step) => {
        const more = step === 0 ? 0 : Math.max(0, count - (values[step - 1]?.[1] ?? count))
        restarts += more
        if (more > 0 && killed?.has(time)) oomKills += 1
      })
      return restarts === 0 ? [] : [{ ...name, restarts, oomKills }]
    })
  }
}

function containerName(labels: Series['labels']): ContainerName {
  const of = (name: string) => labels[`exported_${name}`] ?? labels[name] ?? ''
  return { namespace: of('namespace'), pod: of('pod'), container: of('container') }
}

const keyOf = ({ namespace, pod, container }: ContainerName) => `${namespace}/${pod}/${container}`

function getOrSet<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}
