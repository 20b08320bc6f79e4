import { bankableSavings } from '../src/testing/bankable-savings.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BankableSavings, type FreedNode } from '../src/packing/bankable-savings.ts'
import type { PackingCluster, PackingPod } from '../src/packing/cluster.ts'
import type { Proposal } from '../src/packing/proposals.ts'
import { randomPacking } from './random-packing.ts'
import { objections, openWorld, podsOn, type World } from './slow-scheduler.ts'
import { lawRuns } from '../../../test/rounds.ts'

const RUNS = lawRuns(300)

const costOf = ({ nodes }: PackingCluster) =>
  nodes.reduce((sum, { usdPerHour }) => sum + (usdPerHour === 'unpriced' ? 0n : usdPerHour * 730n), 0n)

const leaves = ({ owner }: PackingPod) => owner === 'daemonset' || owner === 'static'

/** Only pods that were placed from the start, because the result does not contain the nodes of pending pods. */
const allPlaced = (cluster: PackingCluster): PackingCluster => {
  const names = new Set(cluster.nodes.map(({ name }) => name))
  return { ...cluster, pods: cluster.pods.filter(({ node }) => node !== undefined && names.has(node)) }
}

/** Repeats the drains of the engine, and fails for any step that Kubernetes would not allow. */
function replay(world: World, freed: readonly FreedNode[]): void {
  const podOf = new Map(world.cluster.pods.map((pod) => [pod.uid, pod]))
  for (const { node: name, moves } of freed) {
    const node = world.nodes.get(name)
    if (!node) throw new Error(`${name} was removed twice`)
    const own = podsOn(world, node)
    expectEvictable(world, own, name)
    expect(new Set(moves.map(({ pod }) => pod))).toEqual(
      new Set(own.filter((pod) => !leaves(pod)).map(({ uid }) => uid)),
    )
    for (const { uid } of own) world.where.delete(uid)
    world.nodes.delete(name)
    for (const { pod: uid, to } of moves) {
      const [pod, target] = [podOf.get(uid), world.nodes.get(to)]
      if (!pod || !target) throw new Error(`${uid} was moved to ${to}, which is not there`)
      expect(objections(world, pod, target)).toEqual([])
      world.where.set(uid, to)
    }
  }
}

function expectEvictable({ cluster }: World, pods: readonly PackingPod[], name: string): void {
  const node = cluster.nodes.find((each) => each.name === name)
  const pool = cluster.pools.find((each) => each.name === node?.pool)
  const matches = (
    selector: { labels?: object; expressions?: readonly { values?: readonly string[] }[] },
    pod: PackingPod,
  ) =>
    Object.entries(selector.labels ?? {}).every(([key, value]) => pod.labels[key] === value) &&
    (selector.expressions ?? []).every(({ values = [] }) => !values.includes(pod.labels.app ?? ''))
  const moving = pods.filter((pod) => !leaves(pod))
  for (const { namespace, selector = {}, disruptionsAllowed } of cluster.disruptionBudgets ?? []) {
    const own = moving.filter((pod) => pod.namespace === namespace && matches(selector, pod))
    if (own.length === 0) continue
    expect(disruptionsAllowed).toBeGreaterThanOrEqual(pool?.kind === 'cluster-autoscaler' ? own.length : 1)
  }
  expect(pool?.kind).toBeDefined()
  if (pool?.kind === 'karpenter') expect(pods.filter(({ doNotDisrupt }) => doNotDisrupt)).toEqual([])
  else expect(moving.filter(({ safeToEvict }) => safeToEvict === false)).toEqual([])
}

test('every filter, budget and annotation holds, and no pod is left over', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster }) => {
      const placed = allPlaced(cluster)
      replay(openWorld(placed), bankableSavings(placed, []).present.freed)
    }),
    RUNS,
  )
})

/** Sizes of all containers under a proposal; only proposals that shrink pods, because those move no pod. */
function shrink(
  cluster: PackingCluster,
  proposals: readonly Proposal[],
): { proposals: Proposal[]; apply: (world: World) => void } {
  const resizes = proposals.flatMap(({ id, changes }) =>
    changes.flatMap((change) => (change.kind === 'resize' ? [{ id, change }] : [])),
  )
  const least = (workload: string, resource: 'cpu' | 'memory') =>
    Math.min(
      ...cluster.pods.flatMap((pod) =>
        pod.workload === workload ? pod.shape.containers.map(({ request }) => request[resource]) : [],
      ),
    )
  const smaller = resizes.map(({ id, change }) => {
    const cpu = Math.min(change.cpu ?? 0, least(change.workload, 'cpu'))
    const memory = Math.min(change.memory ?? 0, least(change.workload, 'memory'))
    return { id, changes: [{ ...change, cpu, memory }] }
  })
  return {
    proposals: smaller,
    apply: (world) => {
      for (const { changes } of smaller) {
        for (const { workload, cpu, memory } of changes) {
          for (const pod of cluster.pods) if (pod.workload === workload) world.requests.set(pod.uid, { cpu, memory })
        }
      }
    },
  }
}

test('the same holds with the proposed requests, from the end of the current ones', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster, sets }) => {
      const placed = allPlaced(cluster)
      const { proposals, apply } = shrink(placed, sets[0] ?? [])
      const { present, joint } = bankableSavings(placed, [proposals])
      const world = openWorld(placed)
      replay(world, present.freed)
      apply(world)
      replay(world, joint[0]?.freed ?? [])
      expect(joint[0]?.usdPerMonth ?? 0n).toBeGreaterThanOrEqual(0n)
    }),
    RUNS,
  )
})

test('a node stays only if it is blocked or one of its pods fits nowhere else', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster }) => {
      const placed = allPlaced(cluster)
      const { present } = bankableSavings(placed, [])
      const world = openWorld(placed)
      replay(world, present.freed)
      for (const { node: name, blocker } of present.kept) {
        const node = world.nodes.get(name)
        if (blocker.code !== 'pod-does-not-fit' || !node || node.pool === 'pets' || node.committed) continue
        expectStuck(world, name, blocker.pod.name)
      }
    }),
    RUNS,
  )
})

/** Without other obstacles, the named pod fits on no node. It is tested alone, so that order does not matter. */
function expectStuck(world: World, name: string, podName: string): void {
  const node = world.nodes.get(name)
  if (!node) return
  const own = podsOn(world, node)
  const moving = own.filter((pod) => !leaves(pod))
  if (moving.length > 1) return
  for (const { uid } of own) world.where.delete(uid)
  world.nodes.delete(name)
  const pod = moving.find((each) => each.name === podName)
  if (pod) for (const other of world.nodes.values()) expect(objections(world, pod, other)).not.toEqual([])
  world.nodes.set(name, node)
  for (const { uid } of own) world.where.set(uid, name)
}

test('bankable savings never exceed the bill or the repack bound, and shares add up', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster, sets }) => {
      const { present, joint } = bankableSavings(cluster, sets)
      expect(present.usdPerMonth).toBeGreaterThanOrEqual(0n)
      expect(present.usdPerMonth).toBeLessThanOrEqual(present.upperBound.usdPerMonth)
      for (const { usdPerMonth, shares, upperBound, freed, replaced, unblocked } of joint) {
        const lifted = unblocked.reduce((sum, each) => sum + each.usdPerMonth, 0n)
        expect(present.usdPerMonth + usdPerMonth + lifted).toBeLessThanOrEqual(costOf(cluster))
        const gone = [...present.freed, ...freed, ...unblocked].map(({ node }) => node)
        expect(new Set(gone).size).toBe(gone.length)
        expect(present.usdPerMonth + usdPerMonth).toBeLessThanOrEqual(costOf(cluster))
        expect(present.usdPerMonth + usdPerMonth).toBeLessThanOrEqual(upperBound.usdPerMonth)
        expect(shares.reduce((sum, share) => sum + share.usdPerMonth, 0n)).toBe(usdPerMonth)
        if (freed.length + replaced.length > 0) continue
        expect(usdPerMonth).toBeLessThanOrEqual(0n)
        if (usdPerMonth === 0n) for (const { why } of shares) expect(['no-node-freed', 'only-by-hand']).toContain(why)
      }
    }),
    RUNS,
  )
})

test('every node is freed, kept with a reason, or left for manual removal; never two of them', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster }) => {
      const { present } = bankableSavings(cluster, [])
      const named = [...present.freed, ...present.kept, ...present.byHand].map(({ node }) => node)
      expect(named.sort()).toEqual(cluster.nodes.map(({ name }) => name).sort())
    }),
    RUNS,
  )
})

test('the input order does not matter', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster, sets }) => {
      const turned: PackingCluster = {
        ...cluster,
        nodes: cluster.nodes.toReversed(),
        pods: cluster.pods.toReversed(),
        pools: cluster.pools.toReversed(),
        disruptionBudgets: (cluster.disruptionBudgets ?? []).toReversed(),
      }
      const one: BankableSavings = bankableSavings(cluster, sets)
      expect(
        bankableSavings(
          turned,
          sets.map((set) => set.toReversed()),
        ),
      ).toEqual(one)
    }),
    RUNS,
  )
})
