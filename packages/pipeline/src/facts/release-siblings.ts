import { componentOf, originOf, type LiveWorkload, type ReleaseSibling } from '@plimsoll/engine/manifests'
import { workloadPath } from '@plimsoll/engine/rules'
import { newestOf } from './living-pods.ts'
import type { FoldState } from '../fold/fold-state.ts'
import type { PodRecord } from '../fold/inventory.ts'

type Workload = Pick<LiveWorkload, 'namespace' | 'kind' | 'name' | 'labels' | 'annotations'>

type Objects = Pick<FoldState, 'objects' | 'watermark'>
type PodsByWorkload = ReadonlyMap<string, readonly PodRecord[]>

/** The other workloads of its Helm release; undefined where the workload does not name a release. */
type SiblingsOf = (workload: Workload) => readonly ReleaseSibling[] | undefined

/** By the labels of workloads, or of their pods for workloads that the agent does not send. */
export function releaseSiblings(state: Objects, pods: PodsByWorkload): SiblingsOf {
  let releases: Map<string, Workload[]> | undefined
  return (workload) => {
    const key = releaseKey(workload)
    if (key === undefined) return undefined
    releases ??= byRelease(state, pods)
    const own = pathOf(workload)
    return (releases.get(key) ?? []).filter((each) => pathOf(each) !== own).map(siblingOf)
  }
}

const pathOf = ({ namespace, kind, name }: Workload) => workloadPath(namespace, kind, name)

function releaseKey(workload: Workload): string | undefined {
  const release = originOf(workload).helm?.release
  return release == null ? undefined : `${workload.namespace}\n${release}`
}

const siblingOf = ({ kind, name, labels }: Workload): ReleaseSibling => ({
  kind,
  name,
  chart: labels['helm.sh/chart'] ?? null,
  component: componentOf(labels),
})

function byRelease(state: Objects, pods: PodsByWorkload): Map<string, Workload[]> {
  const releases = new Map<string, Workload[]>()
  for (const workload of workloadsOf(state, pods).values()) {
    // A pod without the label of its chart may still name its release.
    const release = originOf(workload).helm?.release ?? workload.labels['app.kubernetes.io/instance']
    if (release === undefined) continue
    const key = `${workload.namespace}\n${release}`
    const own = releases.get(key)
    if (own) own.push(workload)
    else releases.set(key, [workload])
  }
  return releases
}

function workloadsOf({ objects, watermark }: Objects, podsOf: PodsByWorkload): Map<string, Workload> {
  const workloads = new Map<string, Workload>()
  for (const [path, pods] of podsOf) {
    const newest = newestOf(pods)
    if (!newest) continue
    const { namespace, workloadKind: kind, workloadName: name, labels } = newest
    workloads.set(path, { namespace, kind, name, labels, annotations: {} })
  }
  for (const { namespace, name, spec } of objects.living('workload', watermark)) {
    const { workload_kind: kind, labels = {}, annotations = {} } = spec
    workloads.set(workloadPath(namespace, kind, name), { namespace, kind, name, labels, annotations })
  }
  return workloads
}
