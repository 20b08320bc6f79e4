import { Type } from 'typebox'
import { Closed, Formed } from './common.ts'
import { windowQuery } from './windows.ts'

const choice = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Optional(Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description }))

export const focusTagsMax = 20

const tagPattern = '[A-Za-z0-9][A-Za-z0-9._/-]*'

export const focusChoices = {
  version: choice(['1.2', '1.3'], 'Version of FOCUS. 1.3 adds the columns of split cost allocation. Default: 1.2'),
  format: choice(['csv', 'parquet'], 'Default: csv'),
  level: choice(
    ['namespace', 'workload', 'pod'],
    'Who has a row. `pod` has the cost of each node and is stored for 3 days. Default: workload',
  ),
  step: choice(['day', 'hour'], 'Length of the charge period. Hours are stored for 35 days. Default: day'),
  billed: choice(
    ['none', 'effective'],
    'BilledCost: 0, because an allocation is no invoice, or the effective cost. Default: none',
  ),
  tags: Type.Optional(
    Formed(`^${tagPattern}(,${tagPattern}){0,${focusTagsMax - 1}}$`, 'comma-separated labels, at most 20', {
      maxLength: 2000,
      description: 'Labels for the column Tags, comma-separated. `team` is the team of the team mapping',
      examples: ['team,app'],
    }),
  ),
}

export const FocusQuery = Closed({
  ...focusChoices,
  ...windowQuery,
  cluster_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'One cluster; default: all clusters that the role can see',
    }),
  ),
})
