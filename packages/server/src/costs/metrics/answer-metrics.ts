import { metricSeriesMax } from '@plimsoll/contract'
import type { Db } from '../../platform/db/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import { answerCostMetrics } from './answer-cost-metrics.ts'
import { answerOpencostMetrics } from './answer-opencost-metrics.ts'
import { countSeries, metricText, type Family } from './metric-text.ts'
import type { MetricsRequest } from './metrics-request.ts'

type Options = { signal?: AbortSignal | undefined }

/** Takes long for large clusters: the service calls it in the thread of figures-thread.ts. */
export async function answerMetrics(db: Db, request: MetricsRequest, options: Options = {}): Promise<string> {
  const families =
    request.kind === 'costs' ? await answerCostMetrics(db, request, options) : await answerOpencostMetrics(db, request)
  demandFewSeries(families)
  return metricText(families)
}

export function demandFewSeries(families: readonly Family[], seriesMax = metricSeriesMax): void {
  const count = countSeries(families)
  if (count <= seriesMax) return
  const hint = 'Request fewer clusters with a limited role, or leave out `by=workload`.'
  throw new Problem('too_many_series', `The response has ${count} series; ${seriesMax} are allowed. ${hint}`)
}
