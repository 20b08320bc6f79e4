import { decimal } from '../src/decimal.ts'
import type { PackingCluster, PackingNode, PackingPod } from '../src/packing/cluster.ts'
import { aDrain, anItem } from '../src/plan/builders.ts'
import type { PlanItem } from '../src/plan/plan.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { NAMESPACES, ZONE } from './real-scheduler/random-state.ts'

export type LargeState = { readonly cluster: PackingCluster; readonly items: readonly PlanItem[] }

const KIB_PER_MIB = 1024
const CORES = [4, 4, 8, 16]
const WORKLOADS_PER_NODE = 1.5

/**
 * A fragmented cluster of this many nodes in three zones. Large pods fill most of the CPU, and two of three workloads
 * have a recommendation to lower their requests. The same seed gives the same cluster.
 */
export function largePlanState(count: number, seed: number): LargeState {
  const draw = seededRandom(seed)
  const upTo = (limit: number) => Math.floor(draw() * limit)
  const nodes = Array.from({ length: count }, (_, index) => toNode(index, CORES[upTo(CORES.length)] ?? 4))
  const free = nodes.map<Room>(({ allocatable: { cpu, memory } }) => ({ cpu, memory, pods: 28, workloads: [] }))
  const pods: PackingPod[] = []
  const items: PlanItem[] = []
  for (let index = 0; index < count * WORKLOADS_PER_NODE; index += 1) {
    const workload = `w${index}`
    const cpu = (300 + 100 * upTo(24)) * 1000
    const memory = (512 + 256 * upTo(12)) * KIB_PER_MIB
    const replicas = 1 + upTo(7)
    for (let replica = 0; replica < replicas; replica += 1) {
      const from = upTo(count)
      const offset = nodes.findIndex((_node, at) => hasRoom(free[(from + at) % count], { cpu, memory }, workload))
      if (offset < 0) continue
      const home = (from + offset) % count
      take(free[home], { cpu, memory }, workload)
      pods.push({
        ...{ uid: `${workload}-${replica}`, name: `${workload}-${replica}`, namespace: 'shop', workload },
        ...{ owner: 'controller', labels: { app: workload }, node: nodes[home]?.name ?? '' },
        shape: { containers: [{ name: 'app', request: { cpu, memory, gpu: 0 } }] },
        constraints: constraintsOf(index, workload),
      })
    }
    if (index % 3 > 0) items.push(toItem(workload, { cpu, memory }, 0.4 + 0.4 * draw()))
  }
  const cluster = { nodes, pods, pools: [{ name: 'main', kind: 'karpenter' as const }], namespaces: NAMESPACES }
  return { cluster, items: [...items, ...nodes.map(({ name }) => aDrain([name], `drain-${name}`))] }
}

type Size = { readonly cpu: number; readonly memory: number }
type Room = { cpu: number; memory: number; pods: number; workloads: string[] }

const hasRoom = (room: Room | undefined, { cpu, memory }: Size, workload: string) =>
  room !== undefined && room.cpu >= cpu && room.memory >= memory && room.pods > 0 && !room.workloads.includes(workload)

function take(room: Room | undefined, { cpu, memory }: Size, workload: string): void {
  if (!room) return
  Object.assign(room, { cpu: room.cpu - cpu, memory: room.memory - memory, pods: room.pods - 1 })
  room.workloads.push(workload)
}

function toNode(index: number, cores: number): PackingNode {
  const name = `n${index}`
  const zone = ['z1', 'z2', 'z3'][index % 3] ?? ''
  return {
    ...{ name, pool: 'main', usdPerHour: BigInt(cores) * decimal('0.05') },
    allocatable: { cpu: cores * 1e6, memory: cores * 4 * 1024 * KIB_PER_MIB, pods: 30 },
    labels: { host: name, zone, [ZONE]: zone },
  }
}

/** One in twelve workloads has one pod per node at most, and one in twelve is spread over zones. */
function constraintsOf(index: number, app: string) {
  const selector = { labels: { app } }
  if (index % 12 === 5) return { podAntiAffinity: [{ topologyKey: 'host', selector }] }
  if (index % 12 === 9) return { spread: [{ topologyKey: 'zone', maxSkew: 2, selector }] }
  return {}
}

const toItem = (workload: string, { cpu, memory }: Size, kept: number): PlanItem =>
  anItem(`lower-${workload}`, {
    workload,
    changes: [
      { kind: 'resize', workload, container: 'app', cpu: Math.ceil(cpu * kept), memory: Math.ceil(memory * kept) },
    ],
  })
