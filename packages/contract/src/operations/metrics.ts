import { CostMetricsQuery, metricSeriesMax, OpencostMetricsQuery } from '../schemas/metrics.ts'
import { operation } from './operation.ts'

const tag = 'Prometheus'
const seriesMax = metricSeriesMax.toLocaleString('en-US')

/** For Prometheus: text in the exposition format. */
export const metricsOperations = {
  getCostMetrics: operation('GET /metrics/costs', {
    access: 'reports:read',
    tag,
    narrowsToTeams: true,
    summary: 'Show the costs of the last finalised hour as Prometheus metrics',
    description:
      'The namespace series and the idle series of a cluster add up to its hourly cost, which is the total of ' +
      '`GET /api/v1/allocation` in the same hour. A role that is limited to namespaces or teams gets only the series of ' +
      `its namespaces. More than ${seriesMax} series are refused with the number of series. See \`docs/prometheus.md\`.`,
    query: CostMetricsQuery,
  }),
  getOpencostMetrics: operation('GET /metrics/opencost', {
    access: 'reports:read',
    tag,
    summary: 'Show one cluster as Prometheus metrics with the names of OpenCost',
    description:
      'Values of the last finalised hour. The series of a node without a price are absent. Requires a role for whole ' +
      `clusters. More than ${seriesMax} series are refused with the number of series. See \`docs/prometheus.md\`.`,
    query: OpencostMetricsQuery,
  }),
}
