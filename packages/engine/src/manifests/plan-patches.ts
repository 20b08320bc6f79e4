import type { Action } from '../rules/action.ts'
import { containerChangesOf, type Advice } from './container-changes.ts'
import { addChanges } from './add-changes.ts'
import { findRefusal } from './check-draft.ts'
import type { CanExpress, Format } from './format-type.ts'
import type { LiveWorkload } from './live-workload.ts'
import { apiVersions, fieldPatchesOf } from './object-fields.ts'
import { templatePathOf } from './object-patch.ts'
import type { FieldPatch, ManifestTarget, NamedTarget, ObjectPatch, ResourceChange } from './object-patch.ts'
import { pairAutoscaler, type Pairing } from './pair-autoscaler.ts'
import { isApiVersion, isContainerName, isKindName, isNamespaceName, isObjectName } from './safe-text.ts'
import { refuse, type Refusal, type Skip, type Warning } from './skips.ts'
import { noticesOf } from './notices.ts'
import { containerPatches, emptyDraft, type WorkloadDraft } from './workload-draft.ts'

/** A recommendation to render, with the state of its workload. */
export type WantedChange = Advice & {
  readonly id: string
  readonly clusterId: string
  readonly clusterName: string
  /** How to carry it out where no manifest expresses the change. */
  readonly action?: Action
  /** Of the cluster, for commands of the provider; absent: unknown. */
  readonly provider?: string
  readonly region?: string
  /** `gone`: the newest snapshot does not contain it. `not_seen`: there is no snapshot. */
  readonly live: LiveWorkload | 'gone' | 'not_seen'
}

export type PatchPlan = {
  /** By cluster, namespace, kind and name. */
  readonly patches: readonly ObjectPatch[]
  readonly skipped: readonly Skip[]
  readonly warnings: readonly Warning[]
}

/** The collected changes of one object. */
type Collected = {
  readonly target: ManifestTarget
  readonly clusterName: string
  ids: string[]
  draft: WorkloadDraft | null
  /** The workload of a change without containers; null: another object, or unknown. */
  live: LiveWorkload | null
  fields: FieldPatch[]
  isJsonOnly: boolean
}

/**
 * Turns recommendations into one patch per object. A recommendation is applied completely or skipped, in the order
 * of the ids, so that the same request always gives the same plan.
 */
export function planPatches(wanted: readonly WantedChange[], { canExpress }: Format): PatchPlan {
  const collected = new Map<string, Collected>()
  const skipped: Skip[] = []
  for (const each of wanted.toSorted((a, b) => compare(a.id, b.id))) {
    const refusal = take(collected, each, canExpress)
    if (refusal) skipped.push({ recommendationId: each.id, ...refusal })
  }
  const objects = [...collected.values()].filter(({ ids }) => ids.length > 0)
  for (const object of objects) pair(collected, object)
  const patches = [...collected.values()].flatMap(patchOf).sort((a, b) => compare(keyOf(a.target), keyOf(b.target)))
  return { patches, skipped, warnings: patches.flatMap(noticesOf) }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const keyOf = ({ clusterId, namespace, kind, name }: NamedTarget) => [clusterId, namespace, kind, name].join('\n')

function take(collected: Map<string, Collected>, wanted: WantedChange, canExpress: CanExpress): Refusal | undefined {
  const { object } = wanted.change
  if (!hasSafeNames(wanted)) return refuse('invalid_name', 'Make the change by hand.')
  // The injector has the template; no workload in the snapshot matches.
  if (object.kind === 'Sidecar') return refuse('container_not_in_template', wanted.change.summary)
  const changes = containerChangesOf(wanted)
  if (changes && 'code' in changes) return changes
  if (changes) return takeContainer(collected, wanted, changes, canExpress)
  const byHand = findByHand(wanted)
  if (byHand) return byHand
  const isAbout = isLive(wanted.live) && wanted.live.kind === object.kind && wanted.live.name === object.name
  const apiVersion = isAbout ? wanted.live.apiVersion : (apiVersions[object.kind] ?? '')
  if (apiVersion === '') return refuse('not_expressible', wanted.change.summary)
  const fields = fieldPatchesOf(wanted.change)
  if ('code' in fields) return fields
  const unfit = canExpress.fields(fields)
  if (unfit) return unfit
  const collection = findCollected(collected, wanted, apiVersion)
  if (isAbout) collection.live = wanted.live
  return takeFields(collection, wanted, fields)
}

const isLive = (live: WantedChange['live']): live is LiveWorkload => typeof live === 'object'

function hasSafeNames({ change: { object }, live }: WantedChange): boolean {
  const { kind, namespace, name, container } = object
  const isNamed = isKindName(kind) && isObjectName(name) && (namespace === '' || isNamespaceName(namespace))
  if (!isNamed || (container !== '' && !isContainerName(container))) return false
  if (!isLive(live)) return true
  const { apiVersion, containers, autoscaler } = live
  const scaler = autoscaler && autoscaler !== 'unknown' ? autoscaler.name : ''
  return (
    (apiVersion === '' || isApiVersion(apiVersion)) &&
    containers.every((each) => each.name === '' || isContainerName(each.name)) &&
    (scaler === '' || isObjectName(scaler))
  )
}

function findByHand({ change: { action, object, summary, fields } }: WantedChange): Refusal | undefined {
  // Pools and users create nodes, so no manifest restores one.
  const fromGit = object.kind === 'Node' ? '' : ' Remove it from Git as well.'
  if (action === 'delete') return refuse('delete_by_hand', `${summary}${fromGit}`)
  if (action === 'investigate' && fields.length === 0) return refuse('needs_investigation', summary)
  return fields.length === 0 ? refuse('not_expressible', summary) : undefined
}

function takeContainer(
  collected: Map<string, Collected>,
  wanted: WantedChange,
  changes: readonly ResourceChange[],
  canExpress: CanExpress,
): Refusal | undefined {
  const { live } = wanted
  if (live === 'gone') return refuseGone(wanted)
  if (live === 'not_seen') return refuse('workload_not_seen', 'Try again after the next analysis.')
  const unfit = findUnfit(live) ?? canExpress.resources(live, changes)
  if (unfit) return unfit
  const object = findCollected(collected, wanted, live.apiVersion)
  const draft = addChanges(object.draft ?? emptyDraft(live), wanted.change.object.container, changes)
  if ('code' in draft) return draft
  const pairing = pairAutoscaler(draft)
  const refusal = findRefusal(draft) ?? refusePairing(canExpress, pairing)
  if (refusal) return refusal
  if (draft.changes.size === 0)
    return refuse(
      'not_expressible',
      'The workload already has these values. The next analysis closes the recommendation.',
    )
  object.draft = draft
  object.ids = [...object.ids, wanted.id]
  return undefined
}

function refusePairing(canExpress: CanExpress, pairing: Pairing): Refusal | undefined {
  if (pairing.kind === 'refused') return pairing.refusal
  return pairing.kind === 'pair' ? canExpress.pairing(pairing) : undefined
}

/** A CronJob has no pods between runs, so it may still exist. */
function refuseGone({ change: { object } }: WantedChange): Refusal {
  return object.kind === 'CronJob'
    ? refuse(
        'no_run_seen',
        'If the CronJob still exists, try again after its next run, or set the values in its manifest by hand.',
      )
    : refuse('workload_gone', 'The next analysis closes the recommendation.')
}

/** Workloads whose pod template cannot be changed directly. */
function findUnfit(live: LiveWorkload): Refusal | undefined {
  const { owner, apiVersion, kind } = live
  if (owner !== null && owner !== 'unknown') {
    return refuse('owned_by_operator', `Change the ${owner.kind} ${JSON.stringify(owner.name)} instead.`)
  }
  if (kind === 'Job') {
    return refuse(
      'job_template_immutable',
      'Change the source of the next Job: its manifest, CronJob or pipeline. The existing Job stays unchanged.',
    )
  }
  if (templatePathOf({ apiVersion, kind }) === undefined) {
    return refuse('kind_not_supported', `Set the values in the manifest of the ${kind} by hand.`)
  }
  return undefined
}

function takeFields(object: Collected, wanted: WantedChange, fields: readonly FieldPatch[]): Refusal | undefined {
  const scaler = isLive(wanted.live) ? wanted.live.autoscaler : null
  const isReplicas = fields.some(({ path }) => path.join('.') === 'spec.replicas')
  if (isReplicas && scaler !== null && scaler !== 'unknown') {
    return refuse('hpa_owns_replicas', 'Change minReplicas or maxReplicas of the HPA instead.')
  }
  const other = fields.find((field) => object.fields.some((known) => isSamePath(known, field) && known.to !== field.to))
  if (other)
    return refuse(
      'conflicting_changes',
      `${other.path.join('.')} is set by both recommendations. Create a manifest for each.`,
    )
  object.fields = [
    ...object.fields,
    ...fields.filter((field) => !object.fields.some((known) => isSamePath(known, field))),
  ]
  object.ids = [...object.ids, wanted.id]
  return undefined
}

const isSamePath = (a: FieldPatch, b: FieldPatch) => a.path.join('\n') === b.path.join('\n')

function findCollected(
  collected: Map<string, Collected>,
  { clusterId, clusterName, change: { object } }: WantedChange,
  apiVersion: string,
): Collected {
  const { kind, namespace, name } = object
  const target = { clusterId, apiVersion, kind, namespace, name }
  const known = collected.get(keyOf(target)) ?? emptyCollected(target, clusterName)
  collected.set(keyOf(target), known)
  return known
}

const emptyCollected = (target: ManifestTarget, clusterName: string): Collected => ({
  target,
  clusterName,
  ids: [],
  draft: null,
  live: null,
  fields: [],
  isJsonOnly: false,
})

/** The change of the autoscaler belongs to that of the workload: without it the scaling point would move. */
function pair(collected: Map<string, Collected>, { target, clusterName, ids, draft }: Collected): void {
  const pairing = draft ? pairAutoscaler(draft) : undefined
  if (pairing?.kind !== 'pair') return
  const { clusterId, namespace } = target
  const scaler = {
    clusterId,
    namespace,
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    name: pairing.name,
  }
  const object = collected.get(keyOf(scaler)) ?? emptyCollected(scaler, clusterName)
  collected.set(keyOf(scaler), object)
  object.fields = [...object.fields, pairing.field]
  object.ids = [...new Set([...object.ids, ...ids])].sort(compare)
  object.isJsonOnly = true
}

function patchOf({ target, clusterName, ids, draft, live, fields, isJsonOnly }: Collected): ObjectPatch[] {
  if (ids.length === 0) return []
  const containers = draft ? containerPatches(draft) : []
  const sorted = fields.toSorted((a, b) => compare(a.path.join('.'), b.path.join('.')))
  return [
    {
      target,
      clusterName,
      recommendationIds: ids,
      containers,
      fields: sorted,
      isJsonOnly,
      live: draft?.live ?? live,
    },
  ]
}
