import { describeTarget, groupVersionOf, isBuiltIn, type ObjectPatch } from './object-patch.ts'
import { replacesPods, whoAnswers } from '../rules/sizing/rollout.ts'
import type { LiveWorkload } from './live-workload.ts'
import type { Warning } from './skips.ts'

/** What the person who commits it should know, whatever the format. */
export function noticesOf(patch: ObjectPatch): Warning[] {
  const { target, live, recommendationIds } = patch
  const object = describeTarget(target)
  const notices = live ? [...unknowns(patch, live), ...rollout(patch, live), ...consequences(patch)] : []
  return notices.map(([code, message]) => ({ code, message: `${object}: ${message}`, recommendationIds }))
}

type Notice = readonly [code: string, message: string]

function unknowns({ containers }: ObjectPatch, live: LiveWorkload): Notice[] {
  const isAboutCpu = containers.some(({ changes }) => changes.some(({ resource }) => resource === 'cpu'))
  const raises: Notice[] = []
  if (!live.isTemplateSeen) {
    raises.push([
      'template_not_seen',
      'its template was not reported, so this rests on one of its pods. Where defaults or webhooks change pods, compare with the manifest in Git first.',
    ])
  }
  if (live.autoscaler === 'unknown' && isAboutCpu) {
    raises.push([
      'autoscaler_not_known',
      'it is not known whether an autoscaler acts on its CPU utilisation. If so, keep request × target as it was.',
    ])
  }
  if (live.limitRange === 'unknown' || live.quota === 'unknown') {
    raises.push(['limits_not_known', 'the LimitRange and ResourceQuota of its namespace are not known.'])
  }
  if (live.owner === 'unknown' && !live.isTemplateSeen) {
    raises.push(['owner_not_known', 'it is not known whether an operator makes it and would undo the change.'])
  }
  return raises
}

/** Whoever merges it chooses the hour. That pods are replaced while others of them answer is what everybody expects. */
function rollout({ target, containers }: ObjectPatch, live: LiveWorkload): Notice[] {
  if (containers.length === 0 || !replacesPods(target.kind)) return []
  const isAlone = target.kind === 'StatefulSet' && live.replicas === 1
  const words = whoAnswers(live, isAlone)
  return words === '' ? [] : [['pods_replaced', `its pods are replaced when this is applied.${words}`]]
}

function consequences({ target, containers }: ObjectPatch): Notice[] {
  const notices: Notice[] = []
  if (target.kind === 'ReplicaSet' || target.kind === 'ReplicationController') {
    notices.push(['pods_not_replaced', 'pods that run keep what they have until they are deleted.'])
  }
  if (target.kind === 'Pod') {
    notices.push([
      'resized_in_place',
      'the running pod is resized in place, which needs Kubernetes 1.33 and kubectl 1.32.',
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
      `${follows.join(', ')} has no request, so it will request as much as its limit.`,
    ])
  }
  const moved = containers.flatMap(({ container, changes }) =>
    changes
      .filter(({ isConsequence }) => isConsequence)
      .map(({ section, resource, to }) => `${section}.${resource} of container ${container.name} becomes ${to}`),
  )
  if (moved.length > 0) {
    notices.push(['limits_follow', `${moved.join(', ')}, so that it still fits what is requested.`])
  }
  if (!isBuiltIn(target)) {
    const { group } = groupVersionOf(target)
    notices.push(['custom_resource', `it is a custom resource (${group}), which only JSON patches can change safely.`])
  }
  return notices
}

type Patched = ObjectPatch['containers'][number]

const isUnrequested = (container: Patched['container'], resource: string, changes: Patched['changes']) =>
  !container.requestKeys.includes(resource) &&
  !resource.includes('/') &&
  !changes.some((change) => change.section === 'requests' && change.resource === resource)
