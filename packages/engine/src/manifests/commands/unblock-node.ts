import type { Action } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import {
  backupFile,
  gitNote,
  inNamespace,
  kubectl,
  saved,
  words,
  type CommandCluster,
  type CommandStep,
} from './command-step.ts'
import { removeNodes } from './remove-nodes.ts'

type Unblocking = Extract<Action, { kind: 'unblock_node' }>

/** Lifts the blocker, then removes the node. */
export function unblockNode(cluster: CommandCluster, action: Unblocking): CommandStep[] {
  const lift = liftStep(cluster, action)
  return lift ? [lift, ...removeNodes(cluster, { ...action, nodes: [action.node] })] : []
}

const safeToEvict = 'cluster-autoscaler.kubernetes.io/safe-to-evict'

function liftStep(cluster: CommandCluster, { node, blocker, objects }: Unblocking): CommandStep | null {
  const { pod, annotation, disruptionBudgets = [] } = objects
  const run = kubectl(cluster)
  if (blocker === 'node-marked') {
    return {
      title: 'Remove the annotation from the node',
      commands: [
        `${run} annotate node ${shellWord(node)} cluster-autoscaler.kubernetes.io/scale-down-disabled- karpenter.sh/do-not-disrupt-`,
      ],
      note: 'Ask the owner of the annotation first.',
    }
  }
  if (!pod) return null
  const space = inNamespace(pod.namespace)
  if (blocker === 'disruption-budget' && disruptionBudgets.length > 0) {
    const patch = shellWord(JSON.stringify({ spec: { maxUnavailable: 1, minAvailable: null } }))
    return {
      title: 'Allow one disruption',
      commands: disruptionBudgets.map(
        (name) => `${run} patch poddisruptionbudget ${shellWord(name)}${space} --type=merge -p ${patch}`,
      ),
      note: `A workload with one replica is unavailable until its pod runs on another node: add a replica first. ${gitNote}`,
    }
  }
  if (blocker === 'several-budgets' && disruptionBudgets.length > 1) {
    const [kept = '', ...others] = disruptionBudgets
    const budgets = `poddisruptionbudget ${words(others)}${space}`
    const file = backupFile(cluster, { kind: 'disruption-budgets', namespace: pod.namespace, name: node })
    return {
      title: `Keep one PodDisruptionBudget (${kept})`,
      commands: [`${saved(cluster, budgets, file)} && ${run} delete ${budgets}`],
      note: `${file} restores the deleted objects. Compare the selectors first: an object that selects other pods too must stay. ${gitNote}`,
    }
  }
  const name = `pod ${shellWord(pod.name)}${space}`
  if (blocker === 'pod-marked' && annotation !== undefined) {
    return {
      title: 'Remove the annotation of the pod',
      commands: [`${run} annotate ${name} ${shellWord(`${annotation}-`)}`],
      note: `Remove the annotation from the pod template as well, or the next pod has it again. ${gitNote}`,
    }
  }
  if (blocker === 'local-storage' || blocker === 'system-pod') {
    return {
      title: 'Allow the eviction of the pod',
      commands: [`${run} annotate ${name} ${safeToEvict}=true --overwrite`],
      note: `${blocker === 'local-storage' ? 'The data on the node is lost with the pod: copy it first. ' : ''}Add the annotation to the pod template as well. ${gitNote}`,
    }
  }
  if (blocker === 'bare-pod') {
    return {
      title: 'Replace the pod without a controller',
      commands: [saved(cluster, name, backupFile(cluster, { kind: 'Pod', ...pod }))],
      note: 'Create a Deployment from this file. Delete the pod when the Deployment runs: the drain refuses a pod without a controller.',
    }
  }
  return null
}
