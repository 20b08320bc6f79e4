import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '../../decimal.ts'
import { groupBy } from '../../group-by.ts'
import { packCluster } from '../../packing/bankable-savings.ts'
import { karpenter, someCluster, someNode, somePod } from '../../packing/builders.ts'
import { randomPacking } from '../../../test/random-packing.ts'
import { bankFindings } from './bank-findings.ts'
import { askAlone } from './frees-alone.ts'
import { NO_EVIDENCE, type ContainerSpec } from '../finding.ts'
import { listProposals, workloadPath } from './list-proposals.ts'
import type { RuleFinding } from '../evaluate.ts'

const gib = 1024 * 1024

type Wanted = { name: string; to?: Partial<ContainerSpec>; cost?: number | null; removes?: number | string[] }

function aFinding({ name, to = {}, cost = null, removes }: Wanted): RuleFinding {
  const current = { cpuMillicores: 1000, memoryKib: gib }
  const target = { kind: 'Deployment', namespace: 'shop', name, container: removes === undefined ? 'app' : '' }
  return {
    kind: 'finding',
    ruleId: 'some_rule',
    category: 'cpu_memory',
    severity: 'low',
    target,
    title: name,
    podName: '',
    workload: { kind: 'Deployment', name, container: target.container },
    currentSpec: removes === undefined ? current : null,
    recommendedSpec: removes === undefined ? { ...current, ...to } : null,
    change: { action: 'set_requests', object: target, summary: '', fields: [] },
    estimatedUsdPerMonth: 10,
    bankableUsdPerMonth: null,
    costUsdPerMonth: cost,
    risk: 'low',
    confidence: 'high',
    isUrgent: false,
    ...(removes === undefined ? {} : { removesPods: removes }),
    basis: '',
    checks: [],
    bankableBecause: '',
    evidence: NO_EVIDENCE,
  }
}

const podOf = (name: string, node: string, index = 1) =>
  somePod(`${name}-${index}`, { node, workload: workloadPath('shop', 'Deployment', name), asks: { cores: 1, gib: 1 } })

/** Two nodes of 4 cores for $730 a month with five pods of one core: one pod less, or half of two, frees a node. */
const cluster = someCluster({
  nodes: [someNode('a'), someNode('b')],
  pods: [podOf('web', 'a', 1), podOf('web', 'a', 2), podOf('api', 'a'), podOf('db', 'b', 1), podOf('db', 'b', 2)],
})

function bank(findings: RuleFinding[], clusterUsd: number | null = 1460) {
  const { joint } = packCluster(cluster)
  return bankFindings(findings, joint(listProposals(findings, cluster.pods)), clusterUsd)
}

test('a finding that frees a node gets its price and the severity of it', () => {
  const { findings, unattributedUsdPerMonth } = bank([aFinding({ name: 'web', to: { cpuMillicores: 500 } })])
  expect(findings).toMatchObject([{ bankableUsdPerMonth: 730, severity: 'critical' }])
  expect(unattributedUsdPerMonth).toBe(0)
})

test('two findings share their joint savings by the cost of what each frees', () => {
  const findings = [
    aFinding({ name: 'web', to: { cpuMillicores: 500 } }),
    aFinding({ name: 'api', to: { cpuMillicores: 500 } }),
  ]
  // 2 × half a core of web, half a core of api.
  expect(bank(findings).findings.map(({ bankableUsdPerMonth }) => bankableUsdPerMonth)).toEqual([
    486.666667, 243.333333,
  ])
})

test('no finding saves more than its cost; the rest is unattributed', () => {
  const { findings, unattributedUsdPerMonth } = bank([aFinding({ name: 'web', to: { cpuMillicores: 500 }, cost: 40 })])
  expect(findings).toMatchObject([{ bankableUsdPerMonth: 40 }])
  expect(unattributedUsdPerMonth).toBe(690)
})

test('without a freed node the bankable savings are 0, not null', () => {
  expect(bank([aFinding({ name: 'web', to: { cpuMillicores: 900 } })]).findings).toMatchObject([
    { bankableUsdPerMonth: 0, severity: 'low' },
  ])
})

test('removed pods are proposed by number or by name', () => {
  expect(bank([aFinding({ name: 'db', removes: 1 })]).findings).toMatchObject([{ bankableUsdPerMonth: 730 }])
  expect(bank([aFinding({ name: 'api', removes: ['api-1'] })]).findings).toMatchObject([{ bankableUsdPerMonth: 730 }])
  expect(bank([aFinding({ name: 'api', removes: ['nobody'] })]).findings).toMatchObject([{ bankableUsdPerMonth: null }])
})

test('a finding without pod changes keeps the figure of its rule and the severity of it', () => {
  const volume = { ...aFinding({ name: 'web' }), workload: null, bankableUsdPerMonth: 12 }
  expect(bank([volume]).findings).toMatchObject([{ bankableUsdPerMonth: 12, severity: 'medium' }])
})

test('a removed workload includes its pods of busier times, and a smaller one loses running pods', () => {
  const { node: _none, ...waits } = podOf('db', 'b', 9)
  const pods = [podOf('db', 'b', 1), podOf('db', 'b', 2), waits]
  const removed = (removes: number) => listProposals([aFinding({ name: 'db', removes })], pods)[0]?.changes
  const uids = (...all: number[]) => all.map((index) => podOf('db', 'b', index).uid)
  expect(removed(1)).toEqual([{ kind: 'remove', pods: uids(2) }])
  expect(removed(2)).toEqual([{ kind: 'remove', pods: uids(1, 2, 9) }])
})

test('an estimate without known bankable savings is never severe', () => {
  const spot = { ...aFinding({ name: 'web' }), estimatedUsdPerMonth: 730, severity: 'critical' as const }
  expect(bank([spot]).findings).toMatchObject([{ bankableUsdPerMonth: null, severity: 'low' }])
  expect(bank([{ ...spot, isUrgent: true }]).findings).toMatchObject([{ severity: 'critical' }])
})

test('shares and the unattributed rest add up to the bankable savings', () => {
  const finding = fc.record({
    name: fc.constantFrom('web', 'api', 'db'),
    to: fc.record({ cpuMillicores: fc.integer({ min: 10, max: 1500 }) }),
    cost: fc.option(fc.integer({ min: 0, max: 1000 })),
  })
  fc.assert(
    fc.property(fc.uniqueArray(finding, { selector: ({ name }) => name }), (wanted) => {
      const findings = wanted.map(aFinding)
      const { joint } = packCluster(cluster)
      const outcome = joint(listProposals(findings, cluster.pods))
      const { findings: banked, unattributedUsdPerMonth } = bankFindings(findings, outcome, null)
      const sum = banked.reduce((total, each) => total + (each.bankableUsdPerMonth ?? 0), unattributedUsdPerMonth)
      expect(sum).toBeCloseTo(Number(outcome.usdPerMonth) / Number(decimal('1')), 4)
      for (const { bankableUsdPerMonth: usd, costUsdPerMonth: cost } of banked) {
        if (cost !== null) expect(usd ?? 0).toBeLessThanOrEqual(Math.max(0, cost))
      }
    }),
  )
})

/** As the rule reports each pool without an autoscaler: all its drainable nodes. */
function removalsOf({ present }: ReturnType<typeof packCluster>): RuleFinding[] {
  const idle = present.byHand.filter(({ why }) => why === 'nobody-scales-the-pool')
  return [...groupBy(idle, ({ pool }) => pool)].map(([pool, nodes]) => {
    const usd = nodes.reduce((sum, { usdPerMonth }) => sum + Number(usdPerMonth) / Number(decimal('1')), 0)
    const target = { kind: 'NodePool', namespace: '', name: pool, container: '' }
    const saving = { estimatedUsdPerMonth: usd, bankableUsdPerMonth: usd, costUsdPerMonth: usd }
    const pods = { workload: null, currentSpec: null, recommendedSpec: null }
    return { ...aFinding({ name: pool }), ...pods, ...saving, target, removesNodes: nodes.map(({ node }) => node) }
  })
}

test('nodes for manual removal are bankable if their pods fit beside all other recommendations', () => {
  // The pod of the fixed pool fits on b until web grows by a core.
  const fixed = [someNode('fixed-1', { pool: 'fixed' })]
  const pods = [podOf('web', 'b', 1), podOf('db', 'fixed-1')]
  const mixed = someCluster({
    nodes: [someNode('b', { keep: true }), ...fixed],
    pods,
    pools: [karpenter, { name: 'fixed', kind: 'unmanaged' }],
  })
  const packing = packCluster(mixed)
  const bankWith = (others: RuleFinding[]) => {
    const findings = [...removalsOf(packing), ...others]
    return bankFindings(findings, packing.joint(listProposals(findings, pods)), 1460).findings[0]
  }
  expect(bankWith([])).toMatchObject({
    ...{ bankableUsdPerMonth: 730, severity: 'critical' },
    bankableBecause: 'The bill drops once this is applied.',
  })
  expect(bankWith([aFinding({ name: 'web', to: { cpuMillicores: 3500 } })])).toMatchObject({
    ...{ bankableUsdPerMonth: 0, severity: 'low' },
    bankableBecause: expect.stringContaining('fewer of these nodes') as string,
  })
})

test('law: with manually removed nodes the bankable savings never exceed the cost of the cluster', () => {
  fc.assert(
    fc.property(randomPacking, ({ cluster: some, sets: [proposals = []] }) => {
      const packing = packCluster(some)
      const removals = removalsOf(packing)
      const joint = packing.joint(proposals)
      const banked = bankFindings(removals, joint, null)
      const byHand = banked.findings.reduce((sum, each) => sum + (each.bankableUsdPerMonth ?? 0), 0)
      const lifted = joint.unblocked.reduce((sum, { usdPerMonth }) => sum + usdPerMonth, 0n)
      const anyway = packing.present.usdPerMonth
      const usd = (money: bigint) => Number(money) / Number(decimal('1'))
      const costs = some.nodes.map(({ usdPerHour }) => (usdPerHour === 'unpriced' ? 0n : usdPerHour * 730n))
      const all = byHand + usd(joint.usdPerMonth + lifted + anyway)
      expect(all).toBeLessThanOrEqual(usd(costs.reduce((sum, each) => sum + each, 0n)) + 1e-6)
      const names = [...joint.freed, ...joint.unblocked, ...packing.present.freed].map(({ node }) => node)
      expect(removals.flatMap(({ removesNodes = [] }) => removesNodes).filter((name) => names.includes(name))).toEqual(
        [],
      )
    }),
  )
})

test('each finding is simulated alone, and its reason says if that frees nothing', () => {
  // Half a core of web or of db alone frees no node; together they do.
  const findings = [
    aFinding({ name: 'web', to: { cpuMillicores: 800 } }),
    aFinding({ name: 'db', to: { cpuMillicores: 700 } }),
    aFinding({ name: 'api', removes: 1 }),
  ]
  const packing = packCluster(cluster)
  const proposals = listProposals(findings, cluster.pods)
  const { shares } = packing.joint(proposals)
  const freesAlone = askAlone(packing, proposals, shares, cluster.pods.length)
  expect([...freesAlone.values()].sort()).toEqual([false, false, true])
  const banked = bankFindings(findings, { shares, freesAlone }, null).findings
  const says = (name: string) => banked.find(({ target }) => target.name === name)?.bankableBecause
  expect(says('web')).toContain('Applied alone, this change removes no node')
  expect(says('api')).not.toContain('nothing alone')
  // The joint result is the same afterwards: the simulations leave no trace.
  expect(packing.joint(proposals).shares).toEqual(shares)
  // A cluster that is too large is not simulated.
  expect(askAlone(packing, proposals, shares, 1_000_000).size).toBe(0)
})
