import { BatchWriter, objectKinds, type Batch, type ClusterObject, type PodScheduling } from '@plimsoll/contract'
import { NO_POLICIES } from '@plimsoll/engine/testing'
import { loadPriceBook } from '@plimsoll/pricebook/testing'
import type { Around } from '../src/facts/facts-of.ts'
import { NO_HISTORY } from './no-history.ts'
import { Fold } from '../src/fold/fold.ts'
import { emptyFoldState, type FoldState } from '../src/fold/fold-state.ts'
import { classRates } from '../src/prices/class-rates.ts'
import { classifyNode, parseClassKey } from '../src/prices/node-class.ts'
import { agent, nodeVersion, startSecond, type WorldNode } from './small-world.ts'

const book = loadPriceBook()
const place = { provider: 'aws', region: 'eu-central-1' }

/** An agent that watches all kinds. */
export const watchingAgent = { ...agent, watches: [...objectKinds] }

const day = 24 * 3600
export const now = startSecond + 7200

export function foldedSnapshot(
  batches: readonly Batch[],
  { provider, region }: { provider: string; region: string } = place,
): FoldState {
  const here = { provider, region }
  const state = emptyFoldState((node) => classifyNode(book, here, node), here)
  const fold = new Fold(state)
  for (const batch of batches) fold.addBatch('epoch-1', batch)
  return state
}

export type SeenPod = {
  name: string
  node: number
  millicores?: number
  mib?: number
  kind?: string
  scheduling?: PodScheduling
  namespace?: string
}
export type SeenObject = { name: string; namespace?: string } & ClusterObject
export type Seen = {
  nodes: (Partial<WorldNode> & { name: string })[]
  pods?: SeenPod[]
  objects?: SeenObject[]
  more?: (writer: BatchWriter) => void
  agent?: Batch['agent']
}

/** A snapshot of m5.xlarge nodes with 3.8 cores and 15 GiB for $0.23 an hour, a week old. */
export function aSnapshot({ nodes, pods = [], objects = [], more, agent: by = watchingAgent }: Seen): FoldState {
  const writer = new BatchWriter()
  writer.addNamespace({ ref: 9000, uid: 'ns-shop', from: now - day, name: 'shop', labels: { team: 'red' } })
  nodes.forEach(({ name, ...rest }, index) => {
    writer.addNode(nodeVersion({ uid: name, bornAt: now - 7 * day, endedAt: Infinity, ...rest }, index + 1))
  })
  pods.forEach(({ name, node, millicores = 1000, mib = 1024, kind = 'Deployment', scheduling, namespace }, index) => {
    const containers = [{ name: 'app', kind: 'app' as const, cpu_request: millicores, memory_request: mib * 1024 }]
    writer.addPod({
      ref: 100 + index,
      uid: name,
      from: now - day,
      name,
      namespace: namespace ?? 'shop',
      nodeRef: node + 1,
      boundAt: now - day,
      phase: 'running',
      shape: { containers, ...(scheduling ? { scheduling } : {}) },
      workloadKind: kind,
      workloadName: name.replace(/-\d+$/, ''),
      labels: { app: name.replace(/-\d+$/, '') },
    })
  })
  objects.forEach(({ name, namespace = '', ...object }, index) => {
    writer.addObject({ ref: 5000 + index, uid: `object-${index}`, from: now - day, name, namespace, ...object })
  })
  more?.(writer)
  return foldedSnapshot([writer.finish(by, now)])
}

/** List prices, no policies, and an empty history of one week. */
export function around(state: FoldState, over: Partial<Around> = {}): Around {
  const number = (usd: bigint) => Number(usd) / 1e24
  const rates: Around['rates'] = new Map(
    [...state.inventory.nodes.values()].flatMap(({ versions }) => {
      const key = versions.at(-1)?.class.key ?? ''
      const { price, rates: split } = classRates(book, parseClassKey(key))
      if (price.kind === 'unpriced' || split.cpu.kind === 'unpriced' || split.memory.kind === 'unpriced') return []
      const rate = {
        rateId: '1',
        nodeUsdPerHour: number(price.usdPerHour),
        cpuUsd: number(split.cpu.usdPerUnitSecond),
        memoryUsd: number(split.memory.usdPerUnitSecond),
        gpuUsd: split.gpu.kind === 'unpriced' ? null : number(split.gpu.usdPerUnitSecond),
        estimated: price.estimated,
        source: null,
        asOf: null,
      }
      return [[key, rate] as const]
    }),
  )
  return {
    costUsdPerMonth: 1000,
    rates,
    pricing: {
      book,
      terms: { books: [{ version: book.version, asOf: book.asOf, effectiveFrom: new Date(0) }], overrides: [] },
      hour: new Date(now * 1000),
    },
    history: { ...NO_HISTORY, hoursKnown: 168 },
    policies: NO_POLICIES,
    ...over,
  }
}
