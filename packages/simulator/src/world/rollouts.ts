import { deletePod, reconcile } from './controllers.ts'
import { endPod } from './pods.ts'
import { createPod } from './start-pods.ts'
import type { SimPod, State, Workload } from './state.ts'
import { makeTemplate } from './templates.ts'

const STEP_SECONDS = 20
const RETRY_SECONDS = 60

/** A new revision: pods with another hash replace the old pods step by step. */
export function rollOut(state: State, workload: Workload): void {
  workload.revision += 1
  workload.template = makeTemplate(state.scenario, workload, workload.template.shape)
  step(state, workload, workload.revision)
}

/** A later rollout replaces an earlier one. */
function step(state: State, workload: Workload, revision: number): void {
  const old = [...workload.pods].filter(({ template }) => template.hash !== workload.template.hash)
  if (old.length === 0 || workload.revision !== revision) return
  const { kind } = workload.spec
  if (kind === 'Deployment') {
    return replaceWithSurge(state, workload, old.slice(0, Math.ceil(workload.pods.size / 4)), revision)
  }
  // Other kinds delete first, from the last to the first: StatefulSets one by one, DaemonSets on several nodes at a
  // time.
  const atOnce = kind === 'DaemonSet' ? Math.ceil(workload.pods.size / 20) : 1
  for (const pod of old.slice(-atOnce)) deletePod(state, pod)
  state.agenda.add(state.second + STEP_SECONDS, () => step(state, workload, revision))
}

/** Creates new pods first; old pods are deleted once the new pods are scheduled. */
function replaceWithSurge(state: State, workload: Workload, old: readonly SimPod[], revision: number): void {
  const fresh = old.map(() => createPod(state, workload, {}))
  const finish = () => {
    if (workload.revision !== revision) return
    if (fresh.some((pod) => !pod.gone && !pod.node)) {
      state.agenda.add(state.second + RETRY_SECONDS, finish)
      return
    }
    for (const pod of old) endPod(state, pod)
    reconcile(state, workload)
    state.agenda.add(state.second + STEP_SECONDS, () => step(state, workload, revision))
  }
  state.agenda.add(state.second + STEP_SECONDS, finish)
}
