import type { Evidence } from '@plimsoll/contract'
import type { ChartLimits } from '../../charts/band-chart.tsx'

/** A limit is in the chart if the usage touched it or if it changes. Others would flatten the usage. */
export function chartLimits({ demand, hourly }: Evidence): { cpu?: ChartLimits; memory?: ChartLimits } {
  if (!demand) return {}
  const { current, proposed } = demand.limits
  const { cpu: isCpuUnknown, memory: isMemoryUnknown } = demand.unknown_above_limit
  const isShown = (isUnknown: boolean, now: number | null, next: number | null) =>
    isUnknown || (now !== null && next !== null && now !== next)
  return {
    ...(isShown(isCpuUnknown, current.cpu_millicores, proposed.cpu_millicores)
      ? {
          cpu: {
            current: current.cpu_millicores,
            proposed: proposed.cpu_millicores,
            isDemandUnknown: isCpuUnknown,
          },
        }
      : {}),
    ...(isShown(isMemoryUnknown, current.memory_bytes, proposed.memory_bytes)
      ? {
          memory: {
            current: current.memory_bytes,
            proposed: proposed.memory_bytes,
            isDemandUnknown: isMemoryUnknown,
            ...(hourly.oom_kills ? { oomKills: hourly.oom_kills } : {}),
          },
        }
      : {}),
  }
}
