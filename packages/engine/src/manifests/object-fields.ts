import type { Change } from '../rules/finding.ts'
import { parseBytes } from '../units.ts'
import type { FieldPatch } from './object-patch.ts'
import { canonicalQuantity } from './quantities.ts'
import { refuse, type Refusal } from './skips.ts'

type Field = Change['fields'][number]
type Read = (field: Field) => FieldPatch['to'] | Refusal

/** Supported fields of objects without a pod template, by kind and path. All other fields need a manual change. */
const readers: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  Deployment: { 'spec.replicas': readCount },
  StatefulSet: { 'spec.replicas': readCount },
  ReplicaSet: { 'spec.replicas': readCount },
  Rollout: { 'spec.replicas': readCount },
  HorizontalPodAutoscaler: { 'spec.minReplicas': readCount, 'spec.maxReplicas': readCount },
  ScaledObject: { 'spec.minReplicaCount': readCount, 'spec.maxReplicaCount': readCount },
  CronJob: { 'spec.schedule': readSchedule, 'spec.suspend': readFlag },
  Service: { 'spec.type': readServiceType },
  PersistentVolumeClaim: { 'spec.resources.requests.storage': readStorage },
}

export const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Rollout: 'argoproj.io/v1alpha1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  ScaledObject: 'keda.sh/v1alpha1',
  Namespace: 'v1',
  Pod: 'v1',
  ReplicationController: 'v1',
  Service: 'v1',
  PersistentVolumeClaim: 'v1',
}

const immutable = new Set(['PersistentVolumeClaim spec.storageClassName', 'PersistentVolumeClaim spec.volumeName'])

export function fieldPatchesOf({ object, summary, fields }: Change): FieldPatch[] | Refusal {
  const patches: FieldPatch[] = []
  for (const field of fields) {
    const patch = fieldPatchOf(object.kind, field, summary)
    if ('code' in patch) return patch
    patches.push(patch)
  }
  return patches
}

const metaPath = /^metadata\.(labels|annotations)\.(.+)$/
const metaKey = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/

function fieldPatchOf(kind: string, field: Field, summary: string): FieldPatch | Refusal {
  const meta = metaPath.exec(field.path)
  if (meta) return metaPatch(meta[1] ?? '', meta[2] ?? '', field)
  if (immutable.has(`${kind} ${field.path}`)) {
    return refuse('immutable_field', 'Create a new claim, copy the data and switch its workloads to the new claim.')
  }
  const read = readers[kind]?.[field.path]
  if (!read) return refuse('not_expressible', summary)
  if (field.to === null) return refuse('value_missing', `Choose a value for ${field.path}.`)
  const to = read(field)
  if (typeof to === 'object') return to
  return { path: field.path.split('.'), to, guards: [], isParentThere: true }
}

function metaPatch(part: string, key: string, { to, from }: Field): FieldPatch | Refusal {
  if (to === null) return refuse('value_missing', `Choose a value for ${key} and set it in the manifest.`)
  if (!metaKey.test(key) || (part === 'labels' && !labelValue.test(to))) {
    return refuse(
      'invalid_name',
      `${JSON.stringify(key)} with ${JSON.stringify(to)} is not valid in ${part}. Choose a valid value and set it by hand.`,
    )
  }
  return { path: ['metadata', part, key], to, guards: [], isParentThere: from === null ? 'unknown' : true }
}

function readCount({ to, path }: Field): number | Refusal {
  return /^\d{1,9}$/.test(to ?? '')
    ? Number(to)
    : refuse('invalid_quantity', `${path} must be a whole number. Set it by hand.`)
}

function readFlag({ to, path }: Field): boolean | Refusal {
  return to === 'true' || to === 'false'
    ? to === 'true'
    : refuse('invalid_quantity', `${path} must be true or false. Set it by hand.`)
}

function readSchedule({ to }: Field): string | Refusal {
  const isSchedule = /^(?:@[a-z]{4,8}|[-0-9A-Za-z*/,?]+(?: [-0-9A-Za-z*/,?]+){4})$/.test(to ?? '')
  return isSchedule
    ? (to ?? '')
    : refuse('invalid_quantity', 'The schedule must have five cron fields. Set it by hand.')
}

function readServiceType({ to }: Field): string | Refusal {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(to ?? '')
    ? (to ?? '')
    : refuse('invalid_quantity', 'The service type must be ClusterIP, NodePort or LoadBalancer. Set it by hand.')
}

/** A claim can grow and never shrink. */
function readStorage({ from, to }: Field): string | Refusal {
  const wanted = parseBytes(to ?? '')
  const canonical = canonicalQuantity('storage', to ?? '')
  if (wanted.kind === 'invalid' || canonical === undefined)
    return refuse('invalid_quantity', 'The value must be a volume size. Set it by hand.')
  const present = parseBytes(from ?? '')
  if (present.kind === 'ok' && wanted.value >= present.value) return canonical
  return refuse(
    'immutable_field',
    'A volume cannot shrink. Create a smaller volume, copy the data and switch to the new volume.',
  )
}
