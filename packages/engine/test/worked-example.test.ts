import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chargeOf, type CostRow } from '../src/allocation/cost-row.ts'
import { roundDecimal } from '../src/decimal.ts'
import { idleBreakdown } from '../src/idle/idle-breakdown.ts'
import { usdFor } from '../src/pricing/rate.ts'
import { allocateNode } from '../src/testing/allocate-node.ts'
import { costNode } from '../src/testing/cost-node.ts'
import { nodeQuantities } from '../src/testing/node-quantities.ts'
import { aNode, anOwner, aPodSpan, HOUR, someRates } from '../src/allocation/builders.ts'

// Computes the example in the documentation. If the documentation differs, the test fails and shows the expected line.
const path = new URL('../../../docs/how-it-works/allocation.md', import.meta.url)
// Table cells are padded.
const page = readFileSync(path, 'utf8').replace(/ +/g, ' ')

const size = { cores: 4, gib: 16 }
const node = aNode({ ...size, allocatable: { cores: 3.92, gib: 14.5 } })
const rates = someRates({ ...size, usdPerHour: '0.192' })
const pods = [
  aPodSpan({ uid: 'web', requests: { cores: 1, gib: 2 }, uses: { cores: 0.25, gib: 1.5 } }),
  aPodSpan({ uid: 'worker', requests: { cores: 0.5, gib: 1 }, uses: { cores: 2.5, gib: 1.25 } }),
  aPodSpan({ uid: 'cache', requests: { cores: 1, gib: 8 } }),
  aPodSpan({ uid: 'report', requests: { cores: 1, gib: 1 }, uses: { cores: 1, gib: 0.5 }, from: 1800, to: 2700 }),
]
const allocation = allocateNode(node, pods, HOUR)
const rows = costNode(allocation, rates, { name: 'n1', pool: 'general' }, (uid) => anOwner({ workload: uid }))

const coreHours = (microcoreSeconds: number) => String(microcoreSeconds / 3600 / 1e6)
const gibHours = (kibSeconds: number) => String(kibSeconds / 3600 / 2 ** 20)

function line(name: string, cells: readonly string[]): string {
  return `| ${[name, ...cells].join(' | ')} |`
}

function cost({ charges }: CostRow): string[] {
  const [cpu, memory] = [charges.cpu?.usd ?? 0n, charges.memory?.usd ?? 0n]
  return [cpu, memory, cpu + memory].map((usd) => roundDecimal(usd))
}

test('the rates', () => {
  expect(page).toContain(roundDecimal(usdFor(3600n * 1_000_000n, rates.cpu), 10))
  expect(page).toContain(roundDecimal(usdFor(3600n * 2n ** 20n, rates.memory), 10))
})

test.each(['web', 'worker', 'cache', 'report'])('the row of %s', (uid) => {
  const use = allocation.containers.find((container) => container.uid === uid)?.use
  const row = rows.find(({ owner }) => owner.kind === 'workload' && owner.workload === uid)
  if (!use || !row) throw new Error('the example has four pods')
  const quantities = [
    coreHours(use.cpu.alloc),
    coreHours(use.cpu.used),
    gibHours(use.memory.alloc),
    gibHours(use.memory.used),
  ]
  expect(page).toContain(line(uid, [...quantities, ...cost(row)]))
})

test('idle and total', () => {
  const { cpu, memory } = allocation.node
  const idle = rows.at(-1)
  if (!idle) throw new Error('idle is the last row')
  const idleCells = [coreHours(cpu.clusterIdle), '–', gibHours(memory.clusterIdle), '–', ...cost(idle)]
  expect(page).toContain(line('`__idle__`', idleCells))

  const usdOf = (resource: 'cpu' | 'memory') =>
    roundDecimal(rows.reduce((sum, { charges }) => sum + (charges[resource]?.usd ?? 0n), 0n))
  const total = rows.map((row) => chargeOf(row).usd).reduce((sum, usd) => sum + usd, 0n)
  expect(page).toContain(`| **node** | 4 | | 16 | | ${usdOf('cpu')} | ${usdOf('memory')} | ${roundDecimal(total)} |`)
})

test('the classes', () => {
  const sides = nodeQuantities('n1', allocation, rates, () => 'shop')
  const { classes, systemReserved, usageCoverage } = idleBreakdown([sides.node], sides.namespaces)
  const usd = [classes.workload, classes.workloadIdle, classes.clusterIdle, systemReserved].map((value) =>
    roundDecimal(value),
  )
  expect(page).toContain(line('USD', usd))
  expect(usageCoverage.cpu).toMatchObject({ fraction: (3600 + 3600 + 900) / (3 * 3600 + 900) })
})
