import { cordon, lift, put, restore, retire, uncordon, type State } from './state.ts'

/** Placement of all pods, to restore later. */
export type StateSnapshot = {
  readonly nodeOf: Int32Array
  readonly needOf: Int32Array
  readonly gone: Uint8Array
  readonly closed: Uint8Array
}

export const snapshotState = ({ nodeOf, needOf, gone, closed }: State): StateSnapshot => ({
  nodeOf: nodeOf.slice(),
  needOf: needOf.slice(),
  gone: gone.slice(),
  closed: closed.slice(),
})

export function rewindState(state: State, { nodeOf, needOf, gone, closed }: StateSnapshot): void {
  const moved: number[] = []
  for (let pod = 0; pod < nodeOf.length; pod += 1) {
    if (nodeOf[pod] !== state.nodeOf[pod] || needOf[pod] !== state.needOf[pod]) moved.push(pod)
  }
  for (const pod of moved) if ((state.nodeOf[pod] ?? -1) >= 0) lift(state, pod)
  gone.forEach((was, node) => {
    if (was !== state.gone[node]) (was === 1 ? retire : restore)(state, node)
    if (closed[node] !== state.closed[node]) (closed[node] === 1 ? cordon : uncordon)(state, node)
  })
  for (const pod of moved) {
    state.needOf[pod] = needOf[pod] ?? -1
    const node = nodeOf[pod] ?? -1
    if (node >= 0) put(state, pod, node)
  }
}
