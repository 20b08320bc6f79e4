import type { PackingCluster, PackingPod } from './cluster.ts'
import { chooseOffers, daemonsOn, type Chosen } from './choose-offers.ts'
import { findNode } from './find-node.ts'
import { cloneOf, listOffers, type NodeOffer } from './node-offers.ts'
import { inQueue } from './placing.ts'
import { known, makeState, put, restore, retire, type State } from './state.ts'

/** Of one offer. More nodes than this are not simulated. */
const NODES_MAX = 500

export type OpenedNodes = {
  readonly opened: readonly { readonly offer: NodeOffer; readonly count: number }[]
  /** Pods that fit on no node that a pool may get. */
  readonly unplaced: readonly PackingPod[]
}

/** Adds nodes for pods that fit on no current node: for each pod in turn, one node if the added ones have no capacity. */
export function openNodes(
  cluster: PackingCluster,
  pods: readonly PackingPod[],
  homeOf: (pod: PackingPod) => string | undefined,
): OpenedNodes {
  const chosen = chooseOffers(cluster, pods, { offers: listOffers(cluster), homeOf })
  const spare = spareNodes(chosen)
  const daemons = spare.flatMap(({ like, node }) => daemonsOn(cluster, like, node.name))
  const nodes = [...cluster.nodes, ...spare.map(({ node }) => node)]
  const state = makeState({ ...cluster, nodes, pods: [...cluster.pods, ...daemons] })
  const closed = new Map<NodeOffer, number[]>()
  for (const { offer, node } of spare) {
    const number = known(state.model.nodeNumbers.get(node.name))
    retire(state, number)
    closed.set(offer, [...(closed.get(offer) ?? []), number])
  }
  const counts = new Map<NodeOffer, number>()
  const wanted = new Set(pods.map(({ uid }) => uid))
  const numbers = state.model.pods.flatMap(({ uid }, number) => (wanted.has(uid) ? [number] : []))
  const unplaced = inQueue(state, numbers).flatMap((pod) => {
    const offer = chosen.get(known(state.model.pods[pod]).uid)
    if (placeOn(state, pod, findNode(state, pod))) return []
    if (!offer || !openOne(state, pod, { offer, closed: closed.get(offer) ?? [] }))
      return [known(state.model.pods[pod])]
    counts.set(offer, (counts.get(offer) ?? 0) + 1)
    return []
  })
  return { opened: [...counts].map(([offer, count]) => ({ offer, count })), unplaced }
}

function placeOn(state: State, pod: number, node: number): boolean {
  if (node >= 0) put(state, pod, node)
  return node >= 0
}

/** The zones take turns, and the next one is tried if constraints between pods exclude a zone. */
function openOne(state: State, pod: number, { offer, closed }: { offer: NodeOffer; closed: number[] }): boolean {
  for (const node of closed.slice(0, offer.samples.length)) {
    restore(state, node)
    if (placeOn(state, pod, findNode(state, pod))) {
      closed.splice(closed.indexOf(node), 1)
      return true
    }
    retire(state, node)
  }
  return false
}

function spareNodes(chosen: Chosen) {
  const counts = new Map<NodeOffer, number>()
  for (const offer of chosen.values()) counts.set(offer, (counts.get(offer) ?? 0) + 1)
  return [...counts].flatMap(([offer, count], at) =>
    Array.from({ length: Math.min(count, NODES_MAX) }, (_, index) => {
      const sample = known(offer.samples[index % offer.samples.length])
      return { offer, like: sample.like, node: cloneOf(sample, `added-${at}-${String(index).padStart(4, '0')}`) }
    }),
  )
}
