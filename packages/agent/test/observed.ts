import { httpClient } from '../src/kubernetes/http-client.ts'
import type { ClusterAccess } from '../src/kubernetes/cluster-access.ts'
import { sleepSeconds } from '../src/observe/sleep.ts'
import type { ApiClient } from '../src/watch/api-client.ts'
import { openObserver, type ObserverOptions } from '../src/run/open-observer.ts'

/** Observes the cluster at `origin` like the agent, with shorter waits after failures. */
export function observe(origin: string, token: () => string, options: Partial<ObserverOptions> = {}) {
  const access: ClusterAccess = {
    origin,
    credentials: async () => ({
      headers: { authorization: `Bearer ${token()}` },
      tls: { rejectUnauthorized: false },
    }),
  }
  const http = httpClient(access)
  const lists: string[] = []
  const client: ApiClient = {
    get: (path, query, signal, accept) => {
      if (query.limit !== undefined && query.continue === undefined) lists.push(path)
      return http.get(path, query, signal, accept)
    },
  }
  const observer = openObserver({
    client,
    version: '0.0.0-test',
    usage: { wanted: 'none' },
    now: Date.now,
    log: () => undefined,
    random: () => 0.5,
    sleep: (_seconds, signal) => sleepSeconds(0.1, signal),
    ...options,
  })
  return {
    observer,
    /** The listed paths, one entry per list. */
    lists,
    close: async () => {
      await observer.stop()
      http.close()
    },
  }
}
