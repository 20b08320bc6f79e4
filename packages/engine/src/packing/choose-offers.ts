import type { PackingCluster, PackingPod } from './cluster.ts'
import { listFeasible } from './find-node.ts'
import { findShort, type Need } from './needs.ts'
import { cloneOf, type NodeOffer } from './node-offers.ts'
import { inQueue } from './placing.ts'
import { known, makeState, needOf, type State } from './state.ts'

/** Number of nodes that are tried before another node is added. */
const OPEN_BINS = 16

/** For each pod, the offer whose nodes it gets. Pods that fit on no offer are absent. */
export type Chosen = ReadonlyMap<string, NodeOffer>

/**
 * Chooses among the offers as an autoscaler does: first the offers of the pool of the pod's siblings, then those of
 * autoscaled pools, and among these the offer with the lowest cost per pod.
 */
export function chooseOffers(
  cluster: PackingCluster,
  pods: readonly PackingPod[],
  { offers, homeOf }: { offers: readonly NodeOffer[]; homeOf: (pod: PackingPod) => string | undefined },
): Chosen {
  const showroom = openShowroom(cluster, pods, offers)
  const chosen = new Map<string, NodeOffer>()
  const tiers: ((pod: PackingPod, offer: NodeOffer) => boolean)[] = [
    (pod, { pool }) => pool.kind !== 'unmanaged' && pool.name === homeOf(pod),
    (_pod, { pool }) => pool.kind !== 'unmanaged',
    (pod, { pool }) => pool.name === homeOf(pod),
    () => true,
  ]
  for (const belongs of tiers) {
    for (;;) {
      const left = pods.filter(({ uid }) => !chosen.has(uid))
      const best = showroom.cheapest(left, belongs)
      if (!best) break
      for (const { uid } of best.pods) chosen.set(uid, best.offer)
    }
  }
  return chosen
}

type Fit = { readonly offer: NodeOffer; readonly pods: readonly PackingPod[]; readonly usdPerPod: number }

/** One empty node of each offer and zone, with its DaemonSets: every filter of the scheduler decides who fits. */
function openShowroom(cluster: PackingCluster, pods: readonly PackingPod[], offers: readonly NodeOffer[]) {
  const shown = offers.flatMap((offer, index) =>
    offer.samples.map((sample, zone) => ({ offer, sample, node: cloneOf(sample, `offer-${index}-${zone}`) })),
  )
  const daemons = shown.flatMap(({ sample, node }) => daemonsOn(cluster, sample.like, node.name))
  const waiting = pods.map(({ node: _none, ...pod }) => pod)
  const { namespaces = {} } = cluster
  const state = makeState({
    nodes: shown.map(({ node }) => node),
    pods: [...waiting, ...daemons],
    pools: [],
    namespaces,
  })
  const numberOf = new Map(state.model.pods.map(({ uid }, number) => [uid, number]))
  const offerAt = new Map(shown.map(({ node, offer }) => [state.model.nodeNumbers.get(node.name), offer]))
  const fits = new Map(
    pods.map((pod) => {
      const number = known(numberOf.get(pod.uid))
      return [pod.uid, new Set(listFeasible(state, number).map((node) => offerAt.get(node)))]
    }),
  )
  const roomOf = (offer: NodeOffer) => {
    const { node } = known(shown.find((each) => each.offer === offer))
    const at = known(state.model.nodeNumbers.get(node.name)) * state.model.resources.length
    return state.free.slice(at, at + state.model.resources.length)
  }
  const cheapest = (left: readonly PackingPod[], belongs: (pod: PackingPod, offer: NodeOffer) => boolean) => {
    let best: Fit | undefined
    for (const offer of offers) {
      const own = left.filter((pod) => belongs(pod, offer) && fits.get(pod.uid)?.has(offer) === true)
      if (own.length === 0) continue
      const count = countNodes(
        state,
        roomOf(offer),
        own.map(({ uid }) => known(numberOf.get(uid))),
      )
      const usdPerPod = (count * usdOfOffer(offer)) / own.length
      if (!best || usdPerPod < best.usdPerPod) best = { offer, pods: own, usdPerPod }
    }
    return best
  }
  return { cheapest }
}

/** Only for the comparison of offers. An offer without a price comes last. */
const usdOfOffer = ({ usdPerHour }: NodeOffer) =>
  usdPerHour === 'unpriced' ? Number.MAX_SAFE_INTEGER : Number(usdPerHour / 10n ** 12n) / 1e12

export function daemonsOn({ pods }: PackingCluster, like: string, name: string): PackingPod[] {
  return pods
    .filter(({ owner, node }) => node === like && (owner === 'daemonset' || owner === 'static'))
    .map((pod) => ({ ...pod, uid: `${pod.uid} on ${name}`, node: name }))
}

/** First fit, largest first. */
function countNodes(state: State, room: Float64Array, pods: readonly number[]): number {
  const bins: Float64Array[] = []
  for (const pod of inQueue(state, pods)) {
    const need = needOf(state, pod)
    let bin = bins.slice(-OPEN_BINS).find((each) => findShort(each, 0, need) === undefined)
    if (!bin) bins.push((bin = room.slice()))
    take(bin, need)
  }
  return bins.length
}

function take(bin: Float64Array, { amounts }: Need): void {
  for (let each = 0; each < bin.length; each += 1) bin[each] = (bin[each] ?? 0) - (amounts[each] ?? 0)
}
