import type { Action } from '../../rules/action.ts'
import { changeStorageClass, shrinkVolume } from './move-volume.ts'
import { shrinkDaemonsets, shrinkSidecar, upgradeControlPlane, useSpot } from './change-cluster.ts'
import { deleteNamespace, deleteService, labelWorkloads, lowerQuota } from './change-objects.ts'
import type { Commanded, CommandStep } from './command-step.ts'
import { deleteVolume } from './delete-volume.ts'
import { removeNodes } from './remove-nodes.ts'
import { replaceMachines } from './replace-machines.ts'
import { inspectPods, scaleOffHours, stopWorkload } from './stop-workloads.ts'
import { unblockNode } from './unblock-node.ts'

/** The steps that carry out an action. Empty: no command is known, or a name could change the meaning of a command. */
export function commandsFor(action: Action, commanded: Commanded): CommandStep[] {
  const { kind, namespace, name } = commanded.object
  const { provider, region } = commanded.cluster
  const isNamed = [kind, namespace, name, provider, ...textsOf(action)].every(isSafe)
  return isNamed && isSafe(region.replaceAll(' ', '')) ? stepsOf(action, commanded) : []
}

function stepsOf(action: Action, commanded: Commanded): CommandStep[] {
  const { cluster } = commanded
  switch (action.kind) {
    case 'remove_nodes':
      return removeNodes(cluster, action)
    case 'replace_machines':
      return replaceMachines(cluster, action)
    case 'unblock_node':
      return unblockNode(cluster, action)
    case 'shrink_daemonsets':
      return shrinkDaemonsets(commanded)
    case 'delete_volume':
      return deleteVolume(cluster, action.volume)
    case 'shrink_volume':
      return shrinkVolume(cluster, action)
    case 'change_storage_class':
      return changeStorageClass(cluster, action)
    case 'delete_service':
      return deleteService(commanded)
    case 'delete_namespace':
      return deleteNamespace(commanded)
    case 'scale_off_hours':
      return scaleOffHours(commanded)
    case 'label_workloads':
      return labelWorkloads(commanded, action)
    case 'lower_quota':
      return lowerQuota(commanded, action)
    case 'stop_workload':
      return stopWorkload(commanded)
    case 'inspect_pods':
      return inspectPods(commanded, action)
    case 'use_spot':
      return useSpot(commanded)
    case 'shrink_sidecar':
      return shrinkSidecar(commanded, action)
    case 'upgrade_control_plane':
      return upgradeControlPlane(cluster, action)
  }
}

/** Letters, digits and the punctuation of names. A leading dash would be an option. */
const isSafe = (text: string) => text === '' || /^[A-Za-z0-9][-A-Za-z0-9_.:/]*$/.test(text)

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsOf(each)])
}
