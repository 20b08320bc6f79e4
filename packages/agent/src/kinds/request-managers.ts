import type { ManagedFields } from './kube-types.ts'

/** The server accepts no more; real objects have fewer. */
const MANAGERS_MAX = 20

/** The field managers that own `resources` of a container, by container name. Writers of the status never own it. */
export function requestManagers(managedFields: readonly ManagedFields[] = []): ReadonlyMap<string, string[]> {
  const byContainer = new Map<string, Set<string>>()
  for (const { manager, subresource, fieldsV1 } of managedFields) {
    if (!manager || subresource === 'status') continue
    for (const container of containersOwned(fieldsV1)) {
      byContainer.set(container, (byContainer.get(container) ?? new Set()).add(manager.slice(0, 253)))
    }
  }
  return new Map([...byContainer].map(([name, managers]) => [name, [...managers].sort().slice(0, MANAGERS_MAX)]))
}

function containersOwned(fieldsV1: unknown): string[] {
  const spec = field(fieldsV1, 'f:spec')
  const podSpecs = [field(field(spec, 'f:template'), 'f:spec'), cronJobPodSpec(spec)]
  return podSpecs.flatMap((podSpec) =>
    ['f:containers', 'f:initContainers'].flatMap((list) =>
      Object.entries(field(podSpec, list) ?? {}).flatMap(([key, owned]) =>
        field(owned, 'f:resources') === undefined ? [] : containerName(key),
      ),
    ),
  )
}

function cronJobPodSpec(spec: unknown): object | undefined {
  const jobSpec = field(field(spec, 'f:jobTemplate'), 'f:spec')
  return field(field(jobSpec, 'f:template'), 'f:spec')
}

function field(set: unknown, name: string): object | undefined {
  const value = typeof set === 'object' && set !== null ? (set as Record<string, unknown>)[name] : undefined
  return typeof value === 'object' && value !== null ? value : undefined
}

/** List items are keyed as `k:{"name":"app"}`. */
function containerName(key: string): string[] {
  if (!key.startsWith('k:')) return []
  try {
    const { name } = JSON.parse(key.slice(2)) as { name?: unknown }
    return typeof name === 'string' ? [name] : []
  } catch {
    return []
  }
}
