import { groupBy } from '@plimsoll/engine'
import { parseValuesPath, type LiveContainer, type ObjectPatch, type ValuesPath } from '@plimsoll/engine/manifests'
import type { HelmPathRow } from './queries/helm-paths.ts'

/** Chart and values path as given in the request. */
export type HelmWish = { valuesPath: readonly string[] | undefined; chart: string | undefined }

/** The request takes precedence over the stored paths of the workload. */
export function declaredPaths({ valuesPath, chart }: HelmWish, rows: readonly HelmPathRow[]) {
  const stored = new Map(rows.map((row) => [keyOf(row), row]))
  const ofWorkload = groupBy(rows, (row) =>
    workloadKeyOf(row.cluster_id, row.namespace, row.workload_kind, row.workload_name),
  )
  const find = ({ target }: ObjectPatch, { name }: LiveContainer) =>
    stored.get(
      keyOf({
        cluster_id: target.clusterId,
        namespace: target.namespace,
        workload_kind: target.kind,
        workload_name: target.name,
        container: name,
      }),
    )
  const declaredPath = (patch: ObjectPatch, container: LiveContainer): ValuesPath | undefined => {
    if (valuesPath) return { path: valuesPath, source: 'declared' }
    const row = find(patch, container)
    const path = row && parseValuesPath(row.values_path)
    return path && { path, ...trustIn(row, patch.live?.labels['helm.sh/chart'] ?? null) }
  }
  const chartOf = (patch: ObjectPatch) =>
    chart ?? patch.containers.map(({ container }) => find(patch, container)?.chart).find((each) => each != null) ?? null
  const storedClaims = ({ target, live }: ObjectPatch) =>
    [target, ...(live?.releaseSiblings ?? [])].flatMap(({ kind, name }) =>
      (ofWorkload.get(workloadKeyOf(target.clusterId, target.namespace, kind, name)) ?? []).flatMap(claimOf),
    )
  return { declaredPath, chartOf, storedClaims }
}

/** A path that a person stored for a container. */
function claimOf({ workload_kind, workload_name, container, values_path, is_verified }: HelmPathRow) {
  const at = parseValuesPath(values_path)
  const source = is_verified ? ('verified' as const) : ('declared' as const)
  return at ? [{ at, owner: `${workload_kind} ${workload_name} ${container}`, source }] : []
}

const workloadKeyOf = (...parts: [clusterId: string, namespace: string, kind: string, name: string]) => parts.join('\n')

/** Another chart version may use another values path, and an unnamed version may be another one. */
export function trustIn(
  { is_verified, proved_chart: proved }: Pick<HelmPathRow, 'is_verified' | 'proved_chart'>,
  chart: string | null,
): Pick<ValuesPath, 'doubt'> & { source: 'declared' | 'verified' } {
  if (!is_verified) return { source: 'declared' }
  if (proved === null || proved === chart) return { source: 'verified' }
  const now =
    chart === null ? 'the workload no longer has a chart label' : `the workload now comes from ${chartWord(chart)}`
  return { source: 'declared', doubt: `with chart ${chartWord(proved)}, and ${now}` }
}

/** Labels are foreign text: an invalid chart label is not repeated. */
const chartWord = (label: string) => (/^[A-Za-z0-9][-A-Za-z0-9._]{0,62}$/.test(label) ? label : 'of another name')

type Key = Pick<HelmPathRow, 'cluster_id' | 'namespace' | 'workload_kind' | 'workload_name' | 'container'>

const keyOf = (key: Key) =>
  [key.cluster_id, key.namespace, key.workload_kind, key.workload_name, key.container].join('\n')
