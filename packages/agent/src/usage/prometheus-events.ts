import type { Series } from './prometheus-client.ts'
import type { ContainerName } from './container-name.ts'

/** Where who scrapes kube-state-metrics keeps labels of its own, those of the pods that it tells of are called exported. */
const by = 'by (namespace, pod, container, exported_namespace, exported_pod, exported_container)'

export const restartsQuery = `max ${by} (kube_pod_container_status_restarts_total)`
export const killedQuery = `max ${by} (kube_pod_container_status_last_terminated_reason{reason="OOMKilled"}) == 1`

export type PastEvents = ContainerName & { readonly restarts: number; readonly oomKills: number }

/**
 * Restarts and out-of-memory kills of some time, from what kube-state-metrics has counted at each step of it. As with live data,
 * what was before a container was first seen is nobody's news, and of several ends within a step only the last is known by its reason.
 */
export class EventSteps {
  readonly #restarts = new Map<string, { name: ContainerName; counts: Map<number, number> }>()
  /** By container, the times at which its last end was a kill. */
  readonly #killed = new Map<string, Set<number>>()

  /** Two who scrape the same tell of a container twice, and each may have missed something: the larger count holds. */
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
