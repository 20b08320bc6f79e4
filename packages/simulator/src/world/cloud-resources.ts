import type { VolumeScenario } from '../scenario/scenario.ts'
import { uidOf } from './names.ts'
import type { SimBalancer, SimVolume, State, Workload } from './state.ts'

export function openVolumes(state: State): void {
  for (const spec of state.scenario.volumes ?? []) addVolume(state, spec, workloadNamed(state, spec))
  for (const workload of state.workloads) {
    for (let ordinal = 0; ordinal < workload.desired; ordinal += 1) addClaim(state, workload, ordinal)
  }
}

/** The volume of one replica of a StatefulSet. It outlives the replica. */
export function addClaim(state: State, workload: Workload, ordinal: number): void {
  const { claim, namespace, name } = workload.spec
  if (!claim || workload.volumes.some((volume) => volume.ordinal === ordinal)) return
  addVolume(state, { ...claim, namespace, name: `data-${name}-${ordinal}` }, workload, ordinal)
}

function addVolume(state: State, spec: VolumeScenario, workload?: Workload, ordinal?: number): void {
  const id = (state.lastId += 1)
  const volume: SimVolume = {
    kind: 'volume',
    id,
    uid: uidOf(state.scenario.seed, id),
    name: spec.name,
    gone: false,
    spec,
    ...(ordinal === undefined ? {} : { ordinal }),
    zone: spec.zone ?? '',
    mounts: new Set(),
  }
  state.volumes.push(volume)
  workload?.volumes.push(volume)
  state.changed.add(volume)
}

export function openBalancers(state: State): void {
  for (const spec of state.scenario.balancers ?? []) {
    const id = (state.lastId += 1)
    const uid = uidOf(state.scenario.seed, id)
    const balancer: SimBalancer = { kind: 'balancer', id, uid, name: spec.name, gone: false, spec, ready: new Set() }
    state.balancers.push(balancer)
    workloadNamed(state, spec)?.balancers.push(balancer)
    state.changed.add(balancer)
  }
}

function workloadNamed(state: State, { namespace, workload }: { namespace: string; workload?: string }) {
  if (workload === undefined) return undefined
  return state.workloads.find(({ spec }) => spec.namespace === namespace && spec.name === workload)
}
