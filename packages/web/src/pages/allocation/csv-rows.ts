import type { Allocation } from '@plimsoll/contract'

const fields = [
  'total',
  'cpu',
  'memory',
  'gpu',
  'storage',
  'load_balancer',
  'overhead',
  'workload',
  'workload_idle',
  'cluster_idle',
] as const

/** Every digit that the service gives: a sheet rounds by itself. */
export function csvRows({ steps: [step] }: Allocation, by: string): string[][] {
  if (!step) return []
  const lines: [string, Allocation['steps'][number]['rest']['cost'] | null][] = [
    ...step.rows.map(({ names, cost }) => [names[by] ?? '', cost] as [string, typeof cost]),
    ['__idle__', step.idle],
    ['__unmounted__', step.unmounted],
    ['__unattached__', step.unattached],
    ['__overhead__', step.overhead],
  ]
  return [
    [by, ...fields],
    ...lines.flatMap(([name, cost]) => (cost ? [[name, ...fields.map((field) => String(cost[field]))]] : [])),
  ]
}
