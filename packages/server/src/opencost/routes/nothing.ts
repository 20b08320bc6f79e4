import { operations } from '@plimsoll/contract'
import { handle } from '../../platform/http/handle.ts'

type App = Parameters<typeof handle>[0]

/** Cloud and custom costs are not collected. The first page of the OpenCost UI requests them. */
export function nothingRoutes(app: App): void {
  const warning = 'Cloud costs and custom costs are not collected.'
  const answers = [
    [operations.getOpencostCloudCost, { sets: [] }],
    [operations.getOpencostCloudCostGraph, []],
    [operations.getOpencostCloudCostTotals, { numResults: 0, combined: { cost: 0, kubernetesPercent: 0 } }],
    [operations.getOpencostCloudCostTable, []],
    [operations.getOpencostCloudCostStatus, []],
    [operations.getOpencostCustomCostTotal, { totalCost: 0, customCosts: [] }],
    [operations.getOpencostCustomCosts, { timeseries: [] }],
    [operations.getOpencostCustomCostStatus, []],
  ] as const
  for (const [operation, data] of answers)
    handle(app, operation, { handler: async () => ({ code: 200, status: 'success', data, warning }) })
}
