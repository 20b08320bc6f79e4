import type { Evidence } from '@plimsoll/contract'
import type { Rival } from '../../charts/request-lines.tsx'

const names = { vpa: 'VPA', krr: 'KRR' } as const

/** Requests of other tools from the replay; empty if the reader hides them. */
export function otherToolsOf({ backtest: { results } }: Pick<Evidence, 'backtest'>, compare?: 'off') {
  const of = (resource: 'cpu_millicores' | 'memory_bytes'): Rival[] =>
    results.flatMap((each) => {
      const value = each[resource]
      return each.who === 'vpa' || each.who === 'krr' ? (value === null ? [] : [{ name: names[each.who], value }]) : []
    })
  const [cpu, memory] = [of('cpu_millicores'), of('memory_bytes')]
  const areKnown = cpu.length + memory.length > 0
  return compare === 'off' ? { areKnown, cpu: [], memory: [] } : { areKnown, cpu, memory }
}
