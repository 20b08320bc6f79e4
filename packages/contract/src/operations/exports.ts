import { FocusQuery } from '../schemas/focus.ts'
import { operation } from './operation.ts'

export const exportOperations = {
  exportFocus: operation('GET /api/v1/focus', {
    access: 'reports:read',
    tag: 'Exports',
    summary: 'Export costs in the format of FOCUS',
    description:
      'A stream with one row per cluster, node class, owner, resource and period. EffectiveCost adds up to the total of ' +
      '`GET /api/v1/allocation` of the same window. Costs without a price have no row. Requires a role for whole clusters. ' +
      'See `docs/focus.md` for the columns.',
    query: FocusQuery,
    bytes: {
      'text/csv': 'By default: a header and one line per row',
      'application/vnd.apache.parquet': 'With `?format=parquet`: amounts as decimals, quantities as doubles',
    },
  }),
}
