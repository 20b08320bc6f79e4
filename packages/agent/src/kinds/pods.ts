import type { Labels, PodPhase, PodShape } from '@plimsoll/contract'
import { secondOf, type ContainerStatus, type OwnerReference, type PodObject } from './kube-types.ts'
import { podShape } from './pod-shape.ts'
import { Shared, SharedTexts } from './shared.ts'

/** The stored facts of a pod. Values that other pods have too are shared. */
export type PodFacts = {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** Empty: not scheduled. */
  readonly nodeName: string
  readonly boundAt: number
  readonly phase: PodPhase
  /** When the pod succeeded or failed; 0: it has not, or the time is unknown. */
  readonly finishedAt: number
  /** Without the template of its workload. */
  readonly shape: PodShape
  readonly labels: Labels
  readonly made: PodMaker
  /** Names of the mounted claims. */
  readonly claims: readonly string[]
  /** By container index of the shape. */
  readonly restarts: readonly number[]
  /** Time of the last OOM kill in seconds, by container index of the shape; 0: none. */
  readonly kills: readonly number[]
}

/** The creator of the pod; the same for all pods of a ReplicaSet or Job. */
export type PodMaker = { readonly owner?: OwnerReference; readonly generateName?: string; readonly isStatic?: boolean }

/** Labels that differ for each pod or run. They are dropped, so that equal pods can share their labels. */
const ownLabels = [
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
]

/** Reads pods and shares their common values. */
export class PodReader {
  readonly #shapes = new Shared<PodShape>()
  readonly #labels = new Shared<Labels>()
  readonly #makers = new Shared<PodMaker>()
  readonly #numbers = new Shared<readonly number[]>()
  readonly #claims = new Shared<readonly string[]>()
  readonly #texts = new SharedTexts()

  read(pod: PodObject): PodFacts | undefined {
    const { metadata = {}, spec = {}, status = {} } = pod
    const { uid, name, namespace } = metadata
    if (uid === undefined || name === undefined) return undefined
    const shape = this.#shapes.of(podShape(pod))
    const statuses = statusesOf(pod, shape)
    const phase = phases[status.phase ?? ''] ?? 'pending'
    const nodeName = this.#texts.of(spec.nodeName)
    return {
      uid,
      name,
      namespace: this.#texts.of(namespace),
      nodeName,
      boundAt: nodeName === '' ? 0 : boundAt(pod),
      phase,
      finishedAt: phase === 'succeeded' || phase === 'failed' ? finishedAt(statuses) : 0,
      shape,
      labels: this.#labels.of(sharedLabels(metadata.labels ?? {})),
      made: this.#makers.of(makerOf(pod)),
      claims: this.#claims.of(claimsOf(pod, name)),
      restarts: this.#numbers.of(statuses.map((each) => each?.restartCount ?? 0)),
      kills: this.#numbers.of(statuses.map(killedAt)),
    }
  }
}

const phases: Readonly<Record<string, PodPhase>> = {
  Pending: 'pending',
  Running: 'running',
  Succeeded: 'succeeded',
  Failed: 'failed',
  // The node does not respond, but its pods still hold their requests.
  Unknown: 'running',
}

function statusesOf({ status = {} }: PodObject, { containers }: PodShape): (ContainerStatus | undefined)[] {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
  return containers.map(({ name }) => statuses.find((each) => each.name === name))
}

/** When the scheduler bound the pod. For a pod that bypasses the scheduler, when the kubelet accepted it. */
function boundAt({ metadata, status = {} }: PodObject): number {
  const scheduled = status.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'True')
  return secondOf(scheduled?.lastTransitionTime ?? status.startTime ?? metadata?.creationTimestamp)
}

function finishedAt(statuses: readonly (ContainerStatus | undefined)[]): number {
  return statuses.reduce((latest, each) => Math.max(latest, secondOf(each?.state?.terminated?.finishedAt)), 0)
}

function killedAt(status: ContainerStatus | undefined): number {
  const ends = [status?.state?.terminated, status?.lastState?.terminated]
  const killed = ends.find((each) => each?.reason === 'OOMKilled')
  return secondOf(killed?.finishedAt)
}

function sharedLabels(labels: Record<string, string>): Labels {
  if (!ownLabels.some((name) => name in labels)) return labels
  const kept = { ...labels }
  for (const name of ownLabels) delete kept[name]
  return kept
}

function makerOf({ metadata = {} }: PodObject): PodMaker {
  const { ownerReferences = [], generateName, annotations = {} } = metadata
  const owner = controllerOf(ownerReferences)
  const isStatic = 'kubernetes.io/config.mirror' in annotations || owner?.kind === 'Node'
  return {
    ...(owner ? { owner } : {}),
    ...(generateName === undefined || owner ? {} : { generateName }),
    ...(isStatic ? { isStatic } : {}),
  }
}

/** The controller among the owners, or the first owner. */
export function controllerOf(owners: readonly OwnerReference[] | undefined): OwnerReference | undefined {
  const owner = owners?.find(({ controller }) => controller) ?? owners?.[0]
  if (!owner) return undefined
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner
  return { apiVersion, kind, name, uid }
}

function claimsOf({ spec = {} }: PodObject, pod: string): string[] {
  return (spec.volumes ?? []).flatMap(({ name = '', persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName !== undefined) return [persistentVolumeClaim.claimName]
    return ephemeral ? [`${pod}-${name}`] : []
  })
}
