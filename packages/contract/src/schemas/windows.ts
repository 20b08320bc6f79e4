import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'

export const windowNames = [
  '24h',
  '7d',
  '30d',
  'today',
  'month',
  'last_month',
  'quarter',
  'last_quarter',
  'last_12_months',
] as const
export type WindowName = (typeof windowNames)[number]

export const moment = (description: string) =>
  Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: `RFC 3339; ${description}` }))

export const windowQuery = {
  window: Type.Optional(
    Type.Unsafe<WindowName>({
      type: 'string',
      enum: [...windowNames],
      description:
        'Ends with the last full hour; `today`, `month` and `quarter` start at midnight UTC. `last_month` and `last_quarter` ' +
        'are whole calendar periods; `last_12_months` starts on the first day of a month. Default without `from`: 7d',
    }),
  ),
  from: moment('rounded down to the full hour. Instead of `window`'),
  to: moment('exclusive, rounded up to the full hour. Default: the end of the last full hour'),
}

export const Window = Type.Object(
  {
    name: Type.Unsafe<WindowName | 'custom'>({ type: 'string', enum: [...windowNames, 'custom'] }),
    from: Timestamp,
    to: Type.Unsafe<string>({ ...Timestamp, description: 'Exclusive: adjacent windows never count an hour twice' }),
    hours: Type.Integer({ description: 'From `from` to `to`; 0 in the first hour of `today`, `month` and `quarter`' }),
  },
  { title: 'Window', description: 'Requested window, rounded to full hours, end exclusive' },
)

export const dataStatuses = ['no_data', 'collecting', 'partial', 'complete'] as const

export const DataStatus = Type.Unsafe<(typeof dataStatuses)[number]>({
  type: 'string',
  enum: [...dataStatuses],
  description:
    '`complete`: the figures cover every hour of the window · `partial`: some hours · `collecting`: the agent reports, but ' +
    'its first hour is not complete · `no_data`: no data in this window',
})

/** For lists that show the current hour of a new cluster without a complete hour. */
export const partialFields = {
  partial: Type.Optional(
    Type.Boolean({
      description:
        'True: at least one cluster has no complete hour in the window. Its figures cover the current hour so far',
    }),
  ),
  partial_cluster_ids: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'With `partial`: the clusters without a complete hour. Figures of all other clusters cover complete hours',
    }),
  ),
  as_of: Type.Optional(
    Nullable(Timestamp, 'End of the last complete hour or, with `partial`, of the figures; null without data'),
  ),
}

export type Window = Static<typeof Window>
export type DataStatus = Static<typeof DataStatus>
