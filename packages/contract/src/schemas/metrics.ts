import { Type } from 'typebox'
import { Closed } from './common.ts'

/** Series of one response. More of them would be a load for Prometheus. */
export const metricSeriesMax = 50_000

export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8'

export const CostMetricsQuery = Closed({
  by: Type.Optional(
    Type.Union([Type.Literal('namespace'), Type.Literal('workload')], {
      description: '`workload` adds the series of workloads',
      default: 'namespace',
    }),
  ),
})

export const OpencostMetricsQuery = Closed({
  cluster: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the cluster', examples: ['prod-eu'] }),
})
