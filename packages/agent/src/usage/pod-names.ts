import type { Living } from '../facts.ts'

export type WorkloadName = { readonly kind: string; readonly name: string }

/** Name patterns of controllers, the most specific first. */
const patterns: readonly { kinds: readonly string[]; pattern: RegExp }[] = [
  { kinds: ['Deployment', 'Rollout'], pattern: /^(.+)-[a-z0-9]{5,10}-[a-z0-9]{5}$/ },
  { kinds: ['CronJob'], pattern: /^(.+)-\d{8,10}-[a-z0-9]{5}$/ },
  { kinds: ['StatefulSet'], pattern: /^(.+)-\d+$/ },
  { kinds: ['DaemonSet', 'Job'], pattern: /^(.+)-[a-z0-9]{5}$/ },
]

/**
 * Finds the workload of a past pod by its name. The name must match the pattern of an existing controller. Other pods
 * need no recommendations.
 */
export function podNames({ pods, objects }: Pick<Living, 'pods' | 'objects'>) {
  const living = new Map(
    pods.map(({ namespace, name, workloadKind, workloadName }) => [
      `${namespace}/${name}`,
      { kind: workloadKind, name: workloadName },
    ]),
  )
  const controllers = new Set(
    objects.flatMap(({ namespace, name, kind, spec }) =>
      kind === 'workload' ? [`${namespace}/${spec.workload_kind}/${name}`] : [],
    ),
  )
  return (namespace: string, pod: string): WorkloadName | undefined => {
    const known = living.get(`${namespace}/${pod}`)
    if (known) return known
    for (const { kinds, pattern } of patterns) {
      const name = pattern.exec(pod)?.[1]
      const kind = kinds.find((each) => controllers.has(`${namespace}/${each}/${name}`))
      if (name !== undefined && kind !== undefined) return { kind, name }
    }
    return undefined
  }
}
