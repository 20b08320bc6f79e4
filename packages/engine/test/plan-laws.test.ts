import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '../src/decimal.ts'
import { packCluster } from '../src/packing/bankable-savings.ts'
import { aResize, capacity, someCluster, someNode, somePod } from '../src/packing/builders.ts'
import type { PackingCluster, PackingPod } from '../src/packing/cluster.ts'
import { aDrain, anItem, counter, itemOf } from '../src/plan/builders.ts'
import { planCluster } from '../src/plan/plan-cluster.ts'
import { plannedNodes } from '../src/plan/planned-nodes.ts'
import type { Plan, PlanItem, PlanStep, PreviousStep } from '../src/plan/plan.ts'
import { randomPacking } from './random-packing.ts'
import { objections, openWorld, podsOn, type World } from './slow-scheduler.ts'
import { lawRuns, rounds } from '../../../test/rounds.ts'

const HOURS = 730n

/** Two to five nodes of different sizes and up to five workloads of one to four pods, each of which can be lowered. */
const smallWorld = fc
  .record({
    nodes: fc.array(fc.record({ cores: fc.integer({ min: 2, max: 6 }), cents: fc.integer({ min: 10, max: 90 }) }), {
      minLength: 2,
      maxLength: 5,
    }),
    workloads: fc.array(
      fc.record({
        replicas: fc.integer({ min: 1, max: 4 }),
        tenths: fc.integer({ min: 5, max: 25 }),
        kept: fc.integer({ min: 1, max: 9 }),
        risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
        usd: fc.integer({ min: 1, max: 60 }),
        isStateful: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    volumes: fc.array(fc.integer({ min: 1, max: 9999 }), { maxLength: 2 }),
  })
  .map(({ nodes, workloads, volumes }) => {
    const free = nodes.map(({ cores }) => cores * 10)
    const pods = workloads.flatMap(({ replicas, tenths }, workload) =>
      Array.from({ length: replicas }, (_, replica): PackingPod[] => {
        const node = free.findIndex((left) => left >= tenths)
        if (node < 0) return []
        free[node] = (free[node] ?? 0) - tenths
        return [somePod(`w${workload}-${replica}`, { node: `n${node}`, requests: { cores: tenths / 10, gib: 1 } })]
      }).flat(),
    )
    const cluster = someCluster({
      nodes: nodes.map(({ cores, cents }, index) =>
        someNode(`n${index}`, { size: { cores }, usdPerHour: BigInt(cents) * decimal('0.01') }),
      ),
      pods,
    })
    const lowered = workloads.map(({ tenths, kept, risk, usd, isStateful }, index) =>
      itemOf(aResize(`lower-w${index}`, `w${index}`, { cores: (tenths * kept) / 100 }), {
        ...{ risk, isStateful, estimatedUsdPerMonth: decimal(String(usd)), team: `team-${index % 2}` },
      }),
    )
    const removed = volumes.map((cents, index) =>
      anItem(`volume-${index}`, { role: 'remove', workload: '', ownUsdPerMonth: BigInt(cents) * decimal('0.01') }),
    )
    return {
      cluster,
      items: [...lowered, ...removed, ...cluster.nodes.map(({ name }) => aDrain([name], `drain-${name}`))],
    }
  })

const RUN_RATE = decimal('10000')

const plan = (cluster: PackingCluster, items: readonly PlanItem[], before: Before = {}, newId = counter()) => {
  const { previous = [], drained = [] } = before
  const packing = packCluster(cluster, plannedNodes(previous, drained))
  return planCluster(packing, { items, previous, runRateUsdPerMonth: RUN_RATE, newId })
}

/** What the database keeps of the newest plan. */
type Before = { readonly previous?: readonly PreviousStep[]; readonly drained?: Plan['drained'] }

const priceOf = ({ nodes }: PackingCluster, name: string) => {
  const usd = nodes.find((node) => node.name === name)?.usdPerHour
  return usd === undefined || usd === 'unpriced' ? 0n : usd * HOURS
}

const sum = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n)

/** Law 1, with the prices of the nodes and volumes summed up independently. */
function expectAdditive(cluster: PackingCluster, items: readonly PlanItem[], { steps, usdPerMonth }: Plan): void {
  let runRate = RUN_RATE
  for (const step of steps) {
    const gone = sum(step.nodes.map(({ name }) => priceOf(cluster, name)))
    const own = sum(items.flatMap((item) => (step.members.includes(item.key) ? [item.ownUsdPerMonth] : [])))
    expect(step.usdPerMonth).toBe(step.kind === 'rest' ? 0n : gone + own)
    expect(step.runRateBeforeUsdPerMonth).toBe(runRate)
    runRate -= step.usdPerMonth
    expect(step.runRateAfterUsdPerMonth).toBe(runRate)
    if (step.members.length > 0) expect(sum([...step.shares.values()])).toBe(step.usdPerMonth)
  }
  expect(sum(steps.map((step) => step.usdPerMonth))).toBe(usdPerMonth)
}

/** Law 5. */
function expectOnce(items: readonly PlanItem[], { steps }: Plan): void {
  expect(steps.flatMap(({ members }) => members).sort()).toEqual(items.map(({ key }) => key).sort())
  const nodes = steps.flatMap((step) => step.nodes.map(({ name }) => name))
  expect(new Set(nodes).size).toBe(nodes.length)
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
}

function lowerPods(world: World, items: readonly PlanItem[], members: readonly string[]): void {
  for (const { key, changes } of items) {
    if (!members.includes(key)) continue
    for (const change of changes) {
      if (change.kind !== 'resize') continue
      for (const { uid, workload } of world.cluster.pods) {
        const requests = world.requests.get(uid)
        if (workload !== change.workload || !requests) continue
        world.requests.set(uid, { cpu: change.cpu ?? requests.cpu, memory: change.memory ?? requests.memory })
      }
    }
  }
}

/** Law 2: applies the step manually, and fails for any placement that the scheduler does not allow. */
function carryOut(world: World, items: readonly PlanItem[], { members, nodes, moves }: PlanStep): void {
  lowerPods(world, items, members)
  for (const { name } of nodes) {
    const node = world.nodes.get(name) ?? expect.fail(`${name} was removed twice`)
    const leaving = podsOn(world, node).map(({ uid }) => uid)
    const own = moves.filter(({ from }) => from === name)
    expect(own.map(({ pod }) => pod).sort()).toEqual(leaving.sort())
    for (const uid of leaving) world.where.delete(uid)
    world.nodes.delete(name)
    for (const { pod: uid, to } of own) {
      const pod = world.cluster.pods.find((each) => each.uid === uid) ?? expect.fail(`there is no pod ${uid}`)
      expect(objections(world, pod, world.nodes.get(to) ?? expect.fail(`${to} is gone`))).toEqual([])
      world.where.set(uid, to)
    }
  }
}

/** The current cluster. Removed nodes stay in it without capacity, so that the indexes of the others do not change. */
function clusterOf({ cluster, where, nodes, requests }: World, onlyOf: readonly string[]): PackingCluster {
  return {
    ...cluster,
    nodes: cluster.nodes.map((node) => ({
      ...node,
      ...(nodes.has(node.name) ? {} : { taints: [{ key: 'gone', value: '', effect: 'NoSchedule' as const }] }),
      keep: !onlyOf.includes(node.name),
    })),
    pods: cluster.pods.map((pod) => {
      const { cpu = 0, memory = 0 } = requests.get(pod.uid) ?? {}
      const shape = { containers: [{ name: 'app', request: { cpu, memory, gpu: 0 } }] }
      return { ...pod, node: where.get(pod.uid) ?? '', shape }
    }),
  }
}

/** Law 3: without any one of its changes, packing does not remove all nodes of the step. */
function expectMinimal(world: World, items: readonly PlanItem[], { members, nodes }: PlanStep): void {
  const names = nodes.map(({ name }) => name)
  for (const left of members) {
    const without = { ...world, requests: new Map(world.requests) }
    lowerPods(
      without,
      items,
      members.filter((key) => key !== left),
    )
    const freed = packCluster(clusterOf(without, names)).present.freed.map(({ node }) => node)
    expect(freed.sort()).not.toEqual([...names].sort())
  }
}

test('laws 1, 2, 3 and 5: additive, in order, minimal, nothing twice', () => {
  let freeSteps = 0
  fc.assert(
    fc.property(smallWorld, ({ cluster, items }) => {
      const found = plan(cluster, items)
      expectAdditive(cluster, items, found)
      expectOnce(items, found)
      const world = openWorld(cluster)
      for (const step of found.steps) {
        if (step.kind === 'free') {
          freeSteps += 1
          expect(step.members.length).toBeGreaterThan(0)
          expectMinimal(world, items, step)
        }
        carryOut(world, items, step)
      }
    }),
    lawRuns(1000),
  )
  // The clusters are useful for the test: many of them have removable nodes.
  expect(freeSteps).toBeGreaterThan(rounds({ short: 40, full: 100 }))
})

test('with all kinds of constraints, steps still add up, contain nothing twice, and restore the simulation', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster, sets }) => {
      const proposals = sets.flat().map((proposal, index) => ({ ...proposal, id: `rec-${index}` }))
      const items = [...proposals.map((proposal) => itemOf(proposal)), aDrain(cluster.nodes.map(({ name }) => name))]
      const packing = packCluster(cluster)
      const before = packing.joint(proposals)
      const input = { items, runRateUsdPerMonth: RUN_RATE, newId: counter() }
      const found = planCluster(packing, input)
      expectOnce(items, found)
      expect(sum(found.steps.map(({ usdPerMonth }) => usdPerMonth))).toBe(found.usdPerMonth)
      expect(found.usdPerMonth).toBeLessThanOrEqual(sum(cluster.nodes.map(({ name }) => priceOf(cluster, name))))
      expect(packing.joint(proposals)).toEqual(before)
      expect(planCluster(packing, { ...input, newId: counter() })).toEqual(found)
    }),
    lawRuns(100),
  )
})

type Deed = { readonly kind: 'approve' | 'reject' | 'apply' | 'analyse'; readonly step: number; readonly pick: number }

const deeds = fc.array(
  fc.record({
    kind: fc.constantFrom<Deed['kind'][]>('approve', 'reject', 'apply', 'analyse'),
    step: fc.nat(9),
    pick: fc.nat(9),
  }),
  { minLength: 1, maxLength: 5 },
)

/** What an analysis starts from: the cluster, the open recommendations and the steps of the newest plan. */
type Analysed = {
  readonly cluster: PackingCluster
  readonly items: readonly PlanItem[]
  readonly previous: readonly PreviousStep[]
  readonly drained: Plan['drained']
}

/** A rejected recommendation is no longer open. An applied one is not either, and its requests are in the cluster. */
function follow(now: Analysed, kind: Deed['kind'], item: PlanItem): Analysed {
  const { cluster, items, previous, drained } = now
  if (kind === 'approve' || kind === 'analyse') return now
  const open = items.filter(({ key }) => key !== item.key)
  if (kind === 'reject') return { ...now, items: open }
  const world = openWorld(cluster)
  lowerPods(world, items, [item.key])
  const requestOf = ({ uid }: PackingPod) => ({ cpu: 0, memory: 0, ...world.requests.get(uid), gpu: 0 })
  return {
    cluster: {
      ...cluster,
      pods: cluster.pods.map((pod) => ({ ...pod, shape: { containers: [{ name: 'app', request: requestOf(pod) }] } })),
    },
    items: open,
    drained,
    previous: previous.map((step) => (step.members.includes(item.key) ? withApplied(step, item.key) : step)),
  }
}

const withApplied = (step: PreviousStep, key: string): PreviousStep => ({
  ...step,
  members: step.members.filter((each) => each !== key),
  applied: [...(step.applied ?? []), key],
})

/** The visible part of a step. */
const seen = ({ id, kind, title, members, nodes, usdPerMonth, shares }: PlanStep) => ({
  ...{ id, kind, title, members, usdPerMonth, shares: [...shares] },
  nodes: nodes.map(({ name }) => name),
})

const sumFree = (steps: readonly PlanStep[]) =>
  sum(steps.flatMap(({ kind, usdPerMonth }) => (kind === 'free' ? [usdPerMonth] : [])))

/** New free steps that save at least a tenth more than the valid previous ones may replace them. */
const isRearranged = (standing: readonly PlanStep[], steps: readonly PlanStep[]) =>
  sumFree(steps) * 10n >= sumFree(standing) * 11n && sumFree(steps) > 0n

/** Steps that must stay as they are. A later step may need the capacity that a rejected change would have freed. */
function unaffected(steps: readonly PlanStep[], kind: Deed['kind'], key: string): PlanStep[] {
  const at = steps.findIndex(({ members }) => members.includes(key))
  const isAnalysis = kind === 'approve' || kind === 'analyse'
  return steps.filter((step, index) => {
    if (step.kind === 'rest') return false
    if (isAnalysis) return true
    return index !== at && (index < at || kind === 'apply' || steps[at]?.kind !== 'free')
  })
}

test('law 4: approvals, rejections, applied changes and later analyses do not change the other steps', () => {
  const stood = { approve: 0, reject: 0, apply: 0, analyse: 0 }
  fc.assert(
    fc.property(smallWorld, deeds, (start, sequence) => {
      const newId = counter()
      let now: Analysed = { ...start, previous: [], drained: [] }
      let before: readonly PlanStep[] = []
      for (const { kind, step, pick } of [{ kind: 'analyse' as const, step: 0, pick: 0 }, ...sequence]) {
        const own = before[step % Math.max(1, before.length)]
        const key = own?.members[pick % Math.max(1, own.members.length)] ?? ''
        const item = now.items.find((each) => each.key === key)
        if (!item && before.length > 0) continue
        if (kind === 'apply' && item?.role !== 'resize') continue
        const others = unaffected(before, kind, key)
        const asked = item ? follow(now, kind, item) : now
        const after = plan(asked.cluster, asked.items, asked, newId)
        // The database keeps the applied members of a step.
        const appliedTo = new Map(asked.previous.map(({ id, applied = [] }) => [id, applied]))
        const previous = after.steps.map((each) => ({ ...each, applied: appliedTo.get(each.id) ?? [] }))
        now = { ...asked, previous, drained: after.drained }
        before = after.steps
        const byId = new Map(after.steps.map((each) => [each.id, seen(each)]))
        const isSame = others.every((each) => isDeepStrictEqual(byId.get(each.id), seen(each)))
        if (!isSame && isRearranged(others, after.steps)) continue
        for (const each of others) expect(byId.get(each.id)).toEqual(seen(each))
        const places = after.steps.map(({ id }) => id).filter((id) => others.some((each) => each.id === id))
        expect(places).toEqual(others.map(({ id }) => id))
        stood[kind] += others.length
      }
    }),
    lawRuns(100),
  )
  // Every kind of event was tried with steps that could have changed.
  for (const count of Object.values(stood)) expect(count).toBeGreaterThan(rounds({ short: 2, full: 10 }))
})

test('law 4: rejected drains do not change a later step, although no step names their nodes any more', () => {
  const cores = [2, 2, 2, 4, 2, 3, 2, 2]
  const nodes = cores.map((size, index) => someNode(`n${index}`, { size: { cores: size }, usdPerHour: decimal('0.1') }))
  const pods = [
    ...['n0', 'n1'].map((node, index) => somePod(`w0-${index}`, { node, requests: { cores: 0.9 } })),
    ...['n1', 'n2', 'n3', 'n4'].map((node, index) => somePod(`w1-${index}`, { node, requests: { cores: 0.8 } })),
  ]
  const lowered = [
    itemOf(aResize('lower-w0', 'w0', { cores: 0.09 })),
    itemOf(aResize('lower-w1', 'w1', { cores: 0.08 }), { risk: 'medium' }),
  ]
  const newId = counter()
  let items: readonly PlanItem[] = [...lowered, ...nodes.map(({ name }) => aDrain([name], `drain-${name}`))]
  let now = plan(someCluster({ nodes, pods }), items, {}, newId)
  const free = now.steps.filter(({ kind }) => kind === 'free').map(seen)
  expect(free).toMatchObject([{ nodes: ['n1'] }])
  for (const place of [3, 0, 0]) {
    const rejected = now.steps.find(({ kind }) => kind === 'drain')?.members[place]
    items = items.filter(({ key }) => key !== rejected)
    now = plan(someCluster({ nodes, pods }), items, { previous: now.steps, drained: now.drained }, newId)
    expect(now.steps.filter(({ kind }) => kind === 'free').map(seen)).toEqual(free)
  }
})

test('a new order replaces the previous one only if it saves a tenth more', () => {
  // Two nodes of $730. The previous step frees node `a`; now node `c` for $1,095 is removable instead, or as well.
  const nodes = [someNode('a'), someNode('b')]
  const pods = [
    somePod('x-0', { node: 'a', requests: { cores: 3 } }),
    somePod('y-0', { node: 'b', requests: { cores: 2 } }),
  ]
  const items = [itemOf(aResize('lower-x', 'x', { cores: 2 }))]
  const first = plan(someCluster({ nodes, pods }), items)
  expect(first.steps).toMatchObject([{ kind: 'free', members: ['lower-x'] }])
  const dear = someNode('c', { usdPerHour: decimal('1.05'), size: { cores: 3 } })
  expect(capacity({ cores: 3 }).cpu).toBe(3e6)
  const later = someCluster({
    nodes: [...nodes, dear],
    pods: [...pods, somePod('z-0', { node: 'c', requests: { cores: 3 } })],
  })
  const after = plan(later, items, { previous: first.steps })
  expect(after.steps.map(({ id }) => id)).toContain(first.steps[0]?.id)
})
