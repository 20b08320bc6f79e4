import { MICROCORES_PER_MILLICORE } from '@plimsoll/engine'
import { podRequest } from '@plimsoll/engine/allocation'
import type { PackingPod } from '@plimsoll/engine/packing'
import type { PoolFacts } from '@plimsoll/engine/rules'

/** The total requests of the pods. Thousands of pods share a shape. */
export function requestsOf(pods: readonly PackingPod[]): PoolFacts['requested'] {
  const known = new Map<PackingPod['shape'], { cpu: number; memory: number }>()
  let [cpu, memory] = [0, 0]
  for (const { shape } of pods) {
    const requests = known.get(shape) ?? wholeOf(shape)
    known.set(shape, requests)
    cpu += requests.cpu
    memory += requests.memory
  }
  return { cpuMillicores: cpu / MICROCORES_PER_MILLICORE, memoryKib: memory }
}

function wholeOf(shape: PackingPod['shape']): { cpu: number; memory: number } {
  const { containers, pod } = podRequest(shape)
  const all = [...containers.map(({ request }) => request), pod]
  return {
    cpu: all.reduce((total, each) => total + each.cpu, 0),
    memory: all.reduce((total, each) => total + each.memory, 0),
  }
}
