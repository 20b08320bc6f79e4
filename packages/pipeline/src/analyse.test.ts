import { findingKey } from '@plimsoll/engine/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { around, foldedSnapshot, now, aSnapshot, watchingAgent } from '../test/a-snapshot.ts'
import { analyseSeen as analyse, analyseSnapshot, karpenter, twoNodes } from '../test/analyse-snapshot.ts'
import { mixedWorld } from '../test/mixed-world.ts'
import { agent, batchesOf } from '../test/small-world.ts'
import { analyse as analyseWithUsage } from './analyse.ts'
import { factsOf } from './facts/facts-of.ts'
import { NO_HISTORY } from '../test/no-history.ts'
import { packSnapshot } from './facts/pack-snapshot.ts'
import { lawRuns } from '../../../test/rounds.ts'

/** $0.23 an hour. */
const nodeUsd = 167.9

const apart = [{ topology_key: 'kubernetes.io/hostname', selector: { labels: { app: 'web' } } }]

test('open recommendations are read after the usage, so a decision made meanwhile counts', async () => {
  const order: string[] = []
  const snapshot = aSnapshot({ nodes: twoNodes, pods: [{ name: 'web-1', node: 0 }] })
  await analyseWithUsage({
    snapshot,
    around: around(snapshot),
    usage: {
      jobContainers: async () => [],
      statefulMeans: async () => [],
      batches: (containers) => [
        { containers, hours: async () => (order.push('usage'), new Map()), slots: async () => new Map() },
      ],
    },
    loadOpen: async () => {
      order.push('open')
      return ({ findings }) => findings
    },
  })
  expect(new Set(order.slice(0, -1))).toEqual(new Set(['usage']))
  expect(order.at(-1)).toBe('open')
})

describe('a node whose pods fit elsewhere', () => {
  const pods = [
    { name: 'web-1', node: 0 },
    { name: 'db-1', node: 1, millicores: 2000 },
  ]

  test('can be removed for its price where an autoscaler scales the pool', () => {
    const { of, verdicts } = analyse({ nodes: twoNodes, pods, objects: [karpenter] })
    expect(of('node_underutilized_drain')).toMatchObject([
      { target: { kind: 'Node', name: 'a' }, estimatedUsdPerMonth: nodeUsd, bankableUsdPerMonth: nodeUsd },
    ])
    expect(verdicts.a).toMatchObject({ code: 'can_go', savings: nodeUsd })
    const evidence = of('node_underutilized_drain')[0]?.evidence
    expect(evidence?.prices).toMatchObject([{ nodeUsdPerHour: 0.23 }])
    expect(evidence?.savingLines).toMatchObject([
      { what: '1 node of m5.xlarge', quantity: 1, price: { usd: 0.23, per: 'hour', unit: 'node' } },
    ])
    expect(verdicts.b).toMatchObject({ code: 'pod_does_not_fit', savings: 0 })
  })

  test('is named with the manual steps where no autoscaler scales the pool', () => {
    const { of, verdicts } = analyse({ nodes: twoNodes, pods })
    expect(of('node_underutilized_drain')).toMatchObject([
      {
        estimatedUsdPerMonth: nodeUsd,
        bankableUsdPerMonth: nodeUsd,
        change: { summary: expect.stringMatching(/Cordon and drain a\. .* from 2 to 1/) as string },
      },
    ])
    expect(verdicts.a).toMatchObject({ code: 'nobody_scales_the_pool', pods_fit_elsewhere: true })
  })

  test('stays without savings where its pool needs two nodes for system workloads', () => {
    const system = { name: 'coredns-1', node: 1, namespace: 'kube-system', millicores: 100, mib: 64 }
    const { of, verdicts } = analyse({ nodes: twoNodes, pods: [...pods, system] })
    expect(of('node_underutilized_drain')).toEqual([])
    expect(verdicts.a).toMatchObject({ code: 'pool_minimum', pods_fit_elsewhere: true, savings: 0 })
    expect(verdicts.a?.message).toContain('system workloads run in this pool (coredns): they need 2 nodes')
  })

  test('stays while a PodDisruptionBudget blocks eviction, and the budget is named with its cost', () => {
    const spec = { selector: { labels: { app: 'web' } }, disruptions_allowed: 0 }
    const disruptionBudget = { kind: 'budget', namespace: 'shop', name: 'never', spec } as const
    const { of, verdicts } = analyse({ nodes: twoNodes, pods, objects: [karpenter, disruptionBudget] })
    // Node b: its pod fits on a as well, but only one of the two can go.
    expect(of('node_underutilized_drain')).toMatchObject([{ target: { name: 'b' } }])
    expect(of('consolidation_blocked')).toEqual([])
    const alone = analyse({
      nodes: [{ name: 'a' }, { name: 'b', facts: { scaleDownDisabled: true } }],
      pods,
      objects: [karpenter, disruptionBudget],
    })
    expect(alone.of('consolidation_blocked')).toMatchObject([
      {
        target: { name: 'a' },
        bankableUsdPerMonth: nodeUsd,
        change: { summary: expect.stringMatching(/PodDisruptionBudget never allows 0/) as string },
      },
    ])
    expect(alone.verdicts.a).toMatchObject({ code: 'disruption_budget', savings: nodeUsd })
    expect(verdicts.b).toMatchObject({ code: 'can_go' })
  })

  test('counts only running pods under a budget, not the pods of busier hours', () => {
    const spec = { selector: { labels: { app: 'web' } }, disruptions_allowed: 0 }
    const disruptionBudget = { kind: 'budget', namespace: 'shop', name: 'never', spec } as const
    const history = { ...NO_HISTORY, hoursKnown: 168, replicaPeaks: new Map([['shop/Deployment/web', 3]]) }
    const seen = { nodes: [{ name: 'a' }], pods: pods.slice(0, 1), objects: [karpenter, disruptionBudget] }
    const { verdicts } = analyse(seen, { history })
    expect(verdicts.a?.message).toContain('allows 0 disruptions, and the drain evicts 1 pod.')
  })

  test('is withheld if it is the last but one node of a pool with system workloads', () => {
    const dns = { name: 'coredns-1', node: 1, millicores: 100, namespace: 'kube-system' }
    const { of, withheld } = analyse({ nodes: twoNodes, pods: [...pods, dns] })
    expect(of('node_underutilized_drain')).toEqual([])
    expect(withheld.filter(({ ruleId }) => ruleId === 'node_underutilized_drain')).toMatchObject([
      {
        reason: 'cannot_move',
        detail: expect.stringContaining('system workloads run in this pool (coredns)') as string,
      },
    ])
    const daemon = analyse({ nodes: twoNodes, pods: [...pods, { ...dns, kind: 'DaemonSet' }] })
    expect(daemon.of('node_underutilized_drain')).toHaveLength(1)
  })

  test('is withheld if workloads would be left in one zone', () => {
    const zones = ['x', 'y'].map((zone, index) => ({ name: twoNodes[index]?.name ?? '', facts: { zone } }))
    const web = [0, 1].map((node) => ({ name: `web-${node}`, node }))
    const { of, withheld } = analyse({ nodes: zones, pods: web })
    expect(of('node_underutilized_drain')).toEqual([])
    expect(withheld.filter(({ ruleId }) => ruleId === 'node_underutilized_drain')).toMatchObject([
      { detail: expect.stringContaining('web run in several zones') as string },
    ])
    const inOne = zones.map((node) => ({ ...node, facts: { zone: 'x' } }))
    expect(analyse({ nodes: inOne, pods: web }).of('node_underutilized_drain')).toHaveLength(1)
  })

  test('is needed when a job runs again, or in the busier hours of a scaled workload', () => {
    const scaled = { ...NO_HISTORY, hoursKnown: 168, replicaPeaks: new Map([['shop/Deployment/web', 4]]) }
    const { of } = analyse({ nodes: twoNodes, pods, objects: [karpenter] }, { history: scaled })
    expect(of('node_underutilized_drain')).toEqual([])
  })

  test('is not analyzed before one day of data', () => {
    const { of, withheld } = analyse(
      { nodes: twoNodes, pods, objects: [karpenter] },
      { history: { ...NO_HISTORY, hoursKnown: 3 } },
    )
    expect(of('node_underutilized_drain')).toEqual([])
    expect(withheld).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ ruleId: 'node_underutilized_drain', reason: 'too_little_history' })]), // prettier-ignore
    )
  })
})

describe('other instance types for a pool', () => {
  const nodes = ['a', 'b', 'c'].map((name) => ({ name }))

  test('keep the node of an annotated pod, as the verdict of the node says', () => {
    // One core on each node of four cores, never two pods on one node. Nodes of two cores would do for half the price.
    const podsWith = (scheduling: object) =>
      [0, 1, 2].map((node) => ({
        ...{ name: `web-${node}`, node },
        scheduling: { pod_anti_affinity: apart, ...(node === 0 ? scheduling : {}) },
      }))
    const free = analyse({ nodes, pods: podsWith({}) })
    expect(free.of('node_instance_type_mismatch')).toMatchObject([{ machines: ['a', 'b', 'c'] }])
    const annotated = analyse({ nodes, pods: podsWith({ safe_to_evict: false }) })
    expect(annotated.verdicts.a?.code).toBe('pod_marked')
    expect(annotated.of('node_instance_type_mismatch')).toMatchObject([
      {
        machines: ['b', 'c'],
        estimatedUsdPerMonth: nodeUsd,
        change: { summary: expect.stringMatching(/\. a is not replaced\.$/) as string },
        checks: expect.arrayContaining([
          expect.objectContaining({ found: expect.stringMatching(/a \(shop\/web-0 has the annotation/) as string }),
        ]) as object,
      },
    ])
  })

  test('are never fewer of the same type if the pods of each node fit nowhere else', () => {
    // Each node has 1.6 of 3.8 cores free, and a pod requests 1.7. Repacked, all pods would fit on two nodes.
    const pods = [0, 1, 2].flatMap((node) => [
      { name: `large-${node}`, node, millicores: 1700, mib: 6000 },
      { name: `small-${node}`, node, millicores: 500, mib: 600 },
    ])
    const { of, verdicts, withheld } = analyse({ nodes, pods })
    expect(Object.values(verdicts).map(({ code }) => code)).toEqual(Array(3).fill('pod_does_not_fit'))
    expect(of('node_instance_type_mismatch')).toEqual([])
    expect(withheld.filter(({ ruleId }) => ruleId === 'node_instance_type_mismatch')).toMatchObject([
      { reason: 'cannot_move', detail: expect.stringMatching(/^2 × m5\.xlarge would run the pods, but/) as string },
    ])
  })
})

test('other instance types are proposed for the busiest hour of a month, not for the current hour', () => {
  const seen = { nodes: twoNodes, pods: [{ name: 'web-1', node: 0, millicores: 1000 }] }
  const classKey = [...around(aSnapshot(seen)).rates.keys()][0] ?? expect.fail('no class has a price')
  const setFor = (factor: number) => {
    const history = { ...NO_HISTORY, hoursKnown: 168, classPeaks: new Map([[classKey, factor]]) }
    const state = aSnapshot(seen)
    const given = around(state, { history })
    const [pool] = factsOf(state, given, packSnapshot(state, given)).pools
    return pool?.cheaperSet?.usdPerMonth ?? expect.fail('no set was found')
  }
  expect(setFor(1)).toBeLessThan(nodeUsd)
  // Six cores need more than one node of four cores.
  expect(setFor(6)).toBeGreaterThan(nodeUsd)
})

test('without the placement constraints of pods, nothing is recommended about nodes', () => {
  const { of, verdicts, withheld } = analyse({ nodes: twoNodes, pods: [{ name: 'web-1', node: 0 }], agent })
  expect(of('node_underutilized_drain')).toEqual([])
  expect(verdicts).toEqual({})
  expect(withheld.find(({ ruleId }) => ruleId === 'node_underutilized_drain')).toMatchObject({ reason: 'no_source' })
})

test('a volume zone, an anti-affinity and a taint each keep a node', () => {
  const pods = [
    { name: 'web-1', node: 0, scheduling: { pod_anti_affinity: apart } },
    { name: 'web-2', node: 1, scheduling: { pod_anti_affinity: apart } },
  ]
  const filterOf = ({ nodes }: ReturnType<typeof analyse>) => nodes.map(({ verdict }) => verdict.message).join()
  expect(filterOf(analyse({ nodes: twoNodes, pods, objects: [karpenter] }))).toContain('pod anti-affinity')
  const elsewhere = { name: 'b', facts: { zone: 'eu-central-1b', scaleDownDisabled: true } }
  const bound = analyse({
    nodes: [{ name: 'a' }, elsewhere],
    pods: [{ name: 'web-1', node: 0 }],
    objects: [karpenter],
    more: (writer) =>
      writer.addVolume({
        ...{ ref: 700, uid: 'pv', from: now - 10, name: 'pv', namespace: 'shop', claim: 'data', storageClass: 'gp3' },
        ...{ diskType: '', driver: 'ebs.csi.aws.com', zone: 'eu-central-1a', sizeKib: 1024 * 1024, phase: 'bound' },
        mountedPodRefs: [100],
      }),
  })
  expect(bound.verdicts.a?.message).toContain('volume in another zone')
  const taints = [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' as const }]
  const tainted = analyse({
    nodes: [{ name: 'a' }, { name: 'b', facts: { taints, scaleDownDisabled: true } }],
    pods: [{ name: 'web-1', node: 0 }],
    objects: [karpenter],
  })
  expect(tainted.verdicts.a?.message).toContain('taint')
})

test('an extended resource keeps a node when no other node has enough of it', () => {
  const scheduling = { extended_requests: { 'example.com/dongle': 2 } }
  const verdictWith = (dongles: number) =>
    analyse({
      nodes: [
        { name: 'a', facts: { extendedAllocatable: { 'example.com/dongle': 2 } } },
        { name: 'b', facts: { extendedAllocatable: { 'example.com/dongle': dongles }, scaleDownDisabled: true } },
      ],
      pods: [{ name: 'web-1', node: 0, scheduling }],
      objects: [karpenter],
    }).verdicts.a
  expect(verdictWith(2)).toMatchObject({ code: 'can_go' })
  expect(verdictWith(1)).not.toMatchObject({ code: 'can_go' })
  expect(verdictWith(1)?.message).toContain('example.com/dongle')
})

test('a node stays when no other node can attach the volume of its pod', () => {
  const verdictWith = (limit: number, mountedPodRefs = [100]) =>
    analyse({
      nodes: [
        { name: 'a', facts: { attachLimits: { 'ebs.csi.aws.com': 25 } } },
        { name: 'b', facts: { attachLimits: { 'ebs.csi.aws.com': limit }, scaleDownDisabled: true } },
      ],
      pods: [
        { name: 'web-1', node: 0 },
        { name: 'db-1', node: 1 },
      ],
      objects: [karpenter],
      more: (writer) => {
        for (const [index, mounted] of [mountedPodRefs, [101]].entries())
          writer.addVolume({
            ...{ ref: 700 + index, uid: `volume-${index}`, from: now - 10, name: `pv-${index}`, namespace: 'shop' },
            ...{ claim: `data-${index}`, storageClass: 'gp3', diskType: 'gp3', driver: 'ebs.csi.aws.com', zone: '' },
            ...{ sizeKib: 1024 * 1024, phase: 'bound', mountedPodRefs: mounted },
          })
      },
    }).verdicts.a
  expect(verdictWith(2)).toMatchObject({ code: 'can_go' })
  expect(verdictWith(1)).toMatchObject({ code: 'pod_does_not_fit' })
  expect(verdictWith(1)?.message).toContain('volume limit')
  // A pod without a volume needs no attachment.
  expect(verdictWith(1, [])).toMatchObject({ code: 'can_go' })
})

test('if the only node is tainted no node is removable, whatever pods are pending', () => {
  const taints = [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' as const }]
  const waiting = { ref: 800, uid: 'late', from: now - 60, name: 'late-1', namespace: 'shop', nodeRef: 0, boundAt: 0 }
  const shape = { containers: [{ name: 'app', kind: 'app' as const, cpu_request: 500, memory_request: 1024 * 1024 }] }
  const { findings, verdicts, nodes } = analyse({
    nodes: [{ name: 'a', facts: { taints } }],
    pods: [{ name: 'web-1', node: 0 }],
    objects: [karpenter],
    more: (writer) =>
      writer.addPod({
        ...waiting,
        phase: 'pending',
        shape,
        workloadKind: 'Deployment',
        workloadName: 'late',
        labels: {},
      }),
  })
  expect(nodes).toHaveLength(1)
  expect(verdicts.a).toMatchObject({ code: 'pod_does_not_fit', savings: 0 })
  const saved = findings.map(({ ruleId, bankableUsdPerMonth }) => [ruleId, bankableUsdPerMonth ?? 0])
  expect(saved.filter(([, usd]) => usd !== 0)).toEqual([])
})

test('whatever a cluster looks like, no estimate exceeds the cost, and steps add up to no more than the bill', () => {
  fc.assert(
    fc.property(mixedWorld, fc.constantFrom('karpenter', 'cluster-autoscaler', 'none'), (world, scaler) => {
      const state = foldedSnapshot(batchesOf(world, { minutesPerBatch: 130 }).map((each) => ({ ...each, agent: watchingAgent }))) // prettier-ignore
      for (const [index, name] of ['general', 'compute', 'memory'].entries()) {
        const spec = { scaler: scaler as 'karpenter' }
        state.objects.add({ ref: index, uid: name, from: 1, name, namespace: '', kind: 'node_pool', spec })
      }
      const given = around(state)
      const { findings, plan, nodes } = analyseSnapshot(state, given)
      for (const { estimatedUsdPerMonth, costUsdPerMonth } of findings) {
        expect(estimatedUsdPerMonth).toBeLessThanOrEqual(costUsdPerMonth ?? Infinity)
      }
      const ofNodes = findings.filter(({ category }) => category !== 'storage' && category !== 'network' && category !== 'commitment') // prettier-ignore
      const banked = ofNodes.reduce((sum, each) => sum + (each.bankableUsdPerMonth ?? 0), 0)
      const living = [...state.inventory.nodes.values()].filter(({ endedAt }) => endedAt > state.watermark)
      const bill = living.reduce(
        (sum, { versions }) => sum + 730 * (given.rates.get(versions.at(-1)?.class.key ?? '')?.nodeUsdPerHour ?? 0),
        0,
      )
      expect(banked).toBeLessThanOrEqual(bill + 1e-6)
      const inSteps = (plan?.steps ?? []).flatMap(({ members }) => members)
      expect(inSteps.sort()).toEqual(findings.map(findingKey).sort())
      expect(nodes).toHaveLength(living.length)
    }),
    lawRuns(40),
  )
})
