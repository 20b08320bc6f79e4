import type { Changes } from '@plimsoll/contract'
import { bytes, cores } from '../../format/quantity.ts'

type Row = Changes['rows'][number]

/** The classes of nodes or volumes with this effect. */
const classesOf = (effects: Row['effects'], kind: string) =>
  [...new Set(effects.flatMap((effect) => (effect.kind === kind && effect.class ? [effect.class] : [])))].join('; ')

/** The facts behind a cause: node classes, pods, or requests per pod. */
export function factsText({ workload, effects }: Row, cause: string): string {
  if (cause === 'price') return classesOf(effects, 'price')
  if (cause === 'idle') return classesOf(effects, 'nodes')
  if (cause === 'storage' || cause === 'load_balancer') return classesOf(effects, 'size')
  if (!workload) return ''
  const { pods, cpu_request_millicores: cpu, memory_request_bytes: memory } = workload
  if (cause === 'new' || cause === 'gone') return `pods ${pods.before ?? 0} → ${pods.now ?? 0}`
  if (cause === 'replicas') return `replicas ${pods.before ?? 0} → ${pods.now ?? 0}`
  if (cause !== 'request') return ''
  const changed = (resource: string) => effects.some((each) => each.kind === 'request' && each.resource === resource)
  return [
    ...(changed('cpu') ? [`CPU request ${orDash(cpu.before, cores)} → ${orDash(cpu.now, cores)}`] : []),
    ...(changed('memory') ? [`memory request ${orDash(memory.before, bytes)} → ${orDash(memory.now, bytes)}`] : []),
  ].join(', ')
}

const orDash = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value))
