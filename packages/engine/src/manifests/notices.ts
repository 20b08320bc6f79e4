import { describeTarget, groupVersionOf, isBuiltIn, type ObjectPatch } from './object-patch.ts'
import { replacesPods, availabilityNote } from '../rules/sizing/rollout.ts'
import type { LiveWorkload } from './live-workload.ts'
import type { Warning } from './skips.ts'

/** Warnings for the person who commits the change, in every format. */
export function noticesOf(patch: ObjectPatch): Warning[] {
  const { target, live, recommendationIds } = patch
  const object = describeTarget(target)
  // Without a changed container, the facts about containers do not matter.
  const notices =
    live && patch.containers.length > 0
      ? [...unknowns(patch, live), ...rollout(patch, live), ...consequences(patch)]
      : []
  return notices.map(([code, message]) => ({ code, message: `${object}: ${message}`, recommendationIds }))
}

type Notice = readonly [code: string, message: string]

function unknowns({ containers }: ObjectPatch, live: LiveWorkload): Notice[] {
  const isAboutCpu = containers.some(({ changes }) => changes.some(({ resource }) => resource === 'cpu'))
  const raises: Notice[] = []
  if (!live.isTemplateSeen) {
    raises.push([
      'template_not_seen',
      'the agent did not report the pod template, so the change is based on a running pod. Compare with the manifest in Git first: defaults and webhooks change pods.',
    ])
  }
  if (live.autoscaler === 'unknown' && isAboutCpu) {
    raises.push([
      'autoscaler_not_known',
      'Plimsoll does not know whether an HPA scales on CPU utilization. If it does, change its target so that request × target stays the same.',
    ])
  }
  if (live.limitRange === 'unknown' || live.quota === 'unknown') {
    raises.push(['limits_not_known', 'the LimitRange and ResourceQuota of the namespace are unknown.'])
  }
  if (live.owner === 'unknown' && !live.isTemplateSeen) {
    raises.push(['owner_not_known', 'an operator may own this workload and revert the change.'])
  }
  return raises
}

/** Warns only where the rollout reduces availability; a plain rolling update is expected. */
function rollout({ target, containers }: ObjectPatch, live: LiveWorkload): Notice[] {
  if (containers.length === 0 || !replacesPods(target.kind)) return []
  const isAlone = target.kind === 'StatefulSet' && live.replicas === 1
  const words = availabilityNote(live, isAlone)
  return words === '' ? [] : [['pods_replaced', `applying this restarts the pods (rolling update).${words}`]]
}

function consequences({ target, containers }: ObjectPatch): Notice[] {
  const notices: Notice[] = []
  if (target.kind === 'ReplicaSet' || target.kind === 'ReplicationController') {
    notices.push(['pods_not_replaced', 'running pods keep their resources until you delete the pods.'])
  }
  if (target.kind === 'Pod') {
    notices.push([
      'resized_in_place',
      'Kubernetes resizes the running pod in place, which needs Kubernetes 1.33 and kubectl 1.32.',
    ])
  }
  const follows = containers.flatMap(({ container, changes }) =>
    changes
      .filter(
        ({ section, resource, to }) =>
          section === 'limits' && to !== null && isUnrequested(container, resource, changes),
      )
      .map(({ resource }) => `${resource} of container ${container.name}`),
  )
  if (follows.length > 0) {
    notices.push([
      'request_follows_limit',
      `${follows.join(', ')} has no request, so Kubernetes uses the limit as the request.`,
    ])
  }
  const moved = containers.flatMap(({ container, changes }) =>
    changes
      .filter(({ isConsequence }) => isConsequence)
      .map(({ section, resource, to }) => `${section}.${resource} of container ${container.name} becomes ${to}`),
  )
  if (moved.length > 0) {
    notices.push(['limits_follow', `${moved.join(', ')}, to match the new request.`])
  }
  if (!isBuiltIn(target)) {
    const { group } = groupVersionOf(target)
    notices.push(['custom_resource', `only a JSON patch can change this custom resource (${group}) safely.`])
  }
  return notices
}

type Patched = ObjectPatch['containers'][number]

const isUnrequested = (container: Patched['container'], resource: string, changes: Patched['changes']) =>
  !container.requestKeys.includes(resource) &&
  !resource.includes('/') &&
  !changes.some((change) => change.section === 'requests' && change.resource === resource)
