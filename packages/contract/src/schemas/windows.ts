import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'

export const windowNames = ['24h', '7d', '30d', 'today', 'month'] as const
export type WindowName = (typeof windowNames)[number]

const moment = (description: string) =>
  Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: `RFC 3339; ${description}` }))

export const windowQuery = {
  window: Type.Optional(
    Type.Unsafe<WindowName>({
      type: 'string',
      enum: [...windowNames],
      description: 'Ends with the last full hour; `today` and `month` begin at midnight UTC. 7d without it and `from`',
    }),
  ),
  from: moment('snapped to the full hour before. Instead of `window`'),
  to: moment('exclusive, snapped to the full hour after. Without it the end of the last full hour'),
}

export const Window = Type.Object(
  {
    name: Type.Unsafe<WindowName | 'custom'>({ type: 'string', enum: [...windowNames, 'custom'] }),
    from: Timestamp,
    to: Type.Unsafe<string>({ ...Timestamp, description: 'Exclusive: adjacent windows never count an hour twice' }),
    hours: Type.Integer({ description: 'From `from` to `to`; 0 in the first hour of `today` and `month`' }),
  },
  { title: 'Window', description: 'The window that was asked for, snapped to full hours, half-open' },
)

export const dataStatuses = ['no_data', 'collecting', 'partial', 'complete'] as const

export const DataStatus = Type.Unsafe<(typeof dataStatuses)[number]>({
  type: 'string',
  enum: [...dataStatuses],
  description:
    '`complete`: every hour of the window is in the figures · `partial`: some are · `collecting`: the agent reports, and ' +
    'its first hour is not over yet · `no_data`: nothing is known of this window',
})

/** Of lists that show the current hour of a new cluster, which has no complete one yet. */
export const partialFields = {
  partial: Type.Optional(
    Type.Boolean({
      description:
        'True: a cluster has no complete hour in the window, and the figures cover its current hour so far. They grow until it ends',
    }),
  ),
  partial_cluster_ids: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'With `partial`: the clusters without a complete hour. The figures of all others cover complete hours',
    }),
  ),
  as_of: Type.Optional(
    Nullable(Timestamp, 'The end of the newest complete hour or, with `partial`, of the figures; null without any'),
  ),
}

export type Window = Static<typeof Window>
export type DataStatus = Static<typeof DataStatus>
