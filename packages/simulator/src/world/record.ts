import { balancerVersion, nodeVersion, podVersion, volumeVersion } from './versions.ts'
import type { SimBalancer, SimNode, SimPod, SimVolume, State } from './state.ts'

type Thing = SimNode | SimPod | SimVolume | SimBalancer

/**
 * Records every change of the last second, once per object: a version if it still exists, otherwise an end. An object
 * that existed for less than a second is not recorded.
 */
export function recordChanges(state: State): void {
  for (const thing of state.changed) {
    if (!thing.gone) describe(state, thing, state.second)
    else if (thing.version !== undefined) state.facts.ends.push({ ref: thing.id, at: state.second })
  }
  state.changed.clear()
}

function describe(state: State, thing: Thing, from: number): void {
  switch (thing.kind) {
    case 'node':
      state.facts.nodes.push((thing.version = nodeVersion(state.scenario, thing, from)))
      break
    case 'pod':
      state.facts.pods.push((thing.version = podVersion(state.scenario, thing, from)))
      break
    case 'volume':
      state.facts.volumes.push((thing.version = volumeVersion(thing, from)))
      break
    case 'balancer':
      state.facts.balancers.push((thing.version = balancerVersion(thing, from)))
  }
}

/** Marks the initial objects as sent. */
export function recordAsKnown(state: State): void {
  const anHourAgo = state.startSecond - 3600
  for (const thing of state.changed) {
    if (thing.kind === 'node') thing.version = nodeVersion(state.scenario, thing, thing.createdAt)
    else if (thing.kind === 'pod')
      thing.version = podVersion(state.scenario, thing, thing.node ? thing.runningAt : anHourAgo)
    else if (thing.kind === 'volume') thing.version = volumeVersion(thing, anHourAgo)
    else thing.version = balancerVersion(thing, anHourAgo)
  }
  state.changed.clear()
}
