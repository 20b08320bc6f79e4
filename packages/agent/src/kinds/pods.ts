import type { Labels, PodPhase, PodShape } from '@plimsoll/contract'
import { secondOf, type ContainerStatus, type OwnerReference, type PodObject } from './kube-types.ts'
import { podShape } from './pod-shape.ts'
import { Shared, SharedTexts } from './shared.ts'

/** What is kept of a pod. Everything that other pods have too is shared with them. */
export type PodFacts = {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** Empty while it is not scheduled. */
  readonly nodeName: string
  readonly boundAt: number
  readonly phase: PodPhase
  /** When it succeeded or failed; 0: it has not, or nobody says. */
  readonly finishedAt: number
  /** Without what its workload's template says. */
  readonly shape: PodShape
  readonly labels: Labels
  readonly made: PodMaker
  /** Names of the claims that it mounts. */
  readonly claims: readonly string[]
  /** By container of the shape. */
  readonly restarts: readonly number[]
  /** Second of the last out-of-memory kill, by container of the shape; 0: none. */
  readonly kills: readonly number[]
}

/** Who made it. The same for all pods of a ReplicaSet, a Job and so on. */
export type PodMaker = { readonly owner?: OwnerReference; readonly generateName?: string; readonly isStatic?: boolean }

/** Different for each pod or each run, and of no use: with them no two pods would be alike. */
const ownLabels = [
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
]

/** Reads pods, and remembers what they have in common. */
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
  // The node does not answer; its pods hold what they hold.
  Unknown: 'running',
}

function statusesOf({ status = {} }: PodObject, { containers }: PodShape): (ContainerStatus | undefined)[] {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
  return containers.map(({ name }) => statuses.find((each) => each.name === name))
}

/** When the scheduler gave it its node. Pods that bypass it say when the kubelet took them. */
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

/** Whoever manages it; where nobody says that he does, the first. */
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
