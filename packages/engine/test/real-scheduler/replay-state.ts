import type { ControlPlane } from '../../../../test/control-plane.ts'
import { packCluster, type KeptNode, type Outcome } from '../../src/packing/bankable-savings.ts'
import { DrainState } from './drain-state.ts'
import type { ClusterState } from './random-state.ts'

/** The result of the engine for one state, and the real outcome. */
export type Replay = {
  readonly id: string
  /**
   * Cents an hour of the nodes that the engine named as removable, of the removed ones, and of further removed ones.
   */
  readonly promisedCents: number
  readonly leftCents: number
  readonly moreCents: number
  /** Named nodes that could not be removed. */
  readonly broken: readonly string[]
  /** Nodes that the engine called not removable, and that were removed. */
  readonly missed: readonly string[]
  /** Nodes that the engine called not removable, and that stayed. */
  readonly agreed: number
}

/** Trying a node that stays takes longest. */
const KEPT_TRIED_MAX = 3

export async function replayState(plane: ControlPlane, id: string, state: ClusterState): Promise<Replay> {
  const drains = new DrainState(plane, { id }, state)
  await drains.create()
  const replay = new Replaying(id, drains, state)
  await replay.keepPromise()
  await replay.takeMore()
  await replay.tryKept()
  await drains.delete()
  return replay.result()
}

class Replaying {
  readonly #id: string
  readonly #drains: DrainState
  readonly #cents: ReadonlyMap<string, number>
  readonly #broken: string[] = []
  readonly #missed: string[] = []
  #promisedCents = 0
  #leftCents = 0
  #moreCents = 0
  #agreed = 0

  constructor(id: string, drains: DrainState, { nodes }: ClusterState) {
    this.#id = id
    this.#drains = drains
    this.#cents = new Map(
      nodes.map(({ name, usdPerHour }) => [name, usdPerHour === 'unpriced' ? 0 : Number(usdPerHour / 10n ** 22n)]),
    )
  }

  /** Every node that the engine names must be removable, in the order of the names. */
  async keepPromise(): Promise<void> {
    for (const node of namedIn(await this.#ask())) {
      this.#promisedCents += this.#centsOf(node)
      const result = await this.#drains.drain(node)
      if (result.kind === 'emptied') this.#leftCents += this.#centsOf(node)
      else this.#broken.push(`${node}: ${JSON.stringify(result)}`)
    }
  }

  /** The scheduler has placed the pods differently, so more nodes may be removable than the engine named. */
  async takeMore(): Promise<void> {
    for (const tried = new Set<string>(); ;) {
      const node = namedIn(await this.#ask()).find((each) => !tried.has(each))
      if (node === undefined) return
      tried.add(node)
      const result = await this.#drains.drain(node)
      if (result.kind === 'emptied') this.#moreCents += this.#centsOf(node)
      else this.#broken.push(`${node} later: ${JSON.stringify(result)}`)
    }
  }

  /** Every node that the engine calls not removable must stay. */
  async tryKept(): Promise<void> {
    const tried = new Set<string>()
    while (tried.size < KEPT_TRIED_MAX) {
      const kept = (await this.#ask()).kept.find((each) => !tried.has(each.node) && isTriable(each))
      if (!kept) return
      tried.add(kept.node)
      const stays = await this.#stays(kept)
      // The engine says that these depend on the placement.
      if (kept.blocker.code === 'pod-may-not-fit') continue
      if (stays) this.#agreed += 1
      else this.#missed.push(`${kept.node}: ${JSON.stringify(kept.blocker)}`)
    }
  }

  result(): Replay {
    return {
      id: this.#id,
      promisedCents: this.#promisedCents,
      leftCents: this.#leftCents,
      moreCents: this.#moreCents,
      broken: this.#broken,
      missed: this.#missed,
      agreed: this.#agreed,
    }
  }

  async #stays({ node, blocker }: KeptNode): Promise<boolean> {
    if ('disruptionBudget' in blocker || 'disruptionBudgets' in blocker) {
      return !(await this.#drains.mayEvict(blocker.pod.namespace, blocker.pod.name))
    }
    const result = await this.#drains.drain(node)
    if (result.kind === 'emptied') this.#moreCents += this.#centsOf(node)
    return result.kind !== 'emptied'
  }

  async #ask(): Promise<Outcome> {
    return packCluster(await this.#drains.read()).present
  }

  #centsOf(node: string): number {
    return this.#cents.get(node) ?? 0
  }
}

const namedIn = ({ freed, byHand }: Outcome): string[] => [...freed, ...byHand].map(({ node }) => node)

/** Limits of an autoscaler cannot be tested here, because they do not involve the scheduler. */
function isTriable({ blocker }: KeptNode): boolean {
  if (blocker.code === 'disruption-budget') return blocker.disruptionsAllowed === 0
  return ['pod-does-not-fit', 'pod-may-not-fit', 'several-budgets'].includes(blocker.code)
}
