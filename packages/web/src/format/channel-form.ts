import type { Channel, ChannelKindName, CreateChannelBody, MessageEvent, UpdateChannelBody } from '@plimsoll/contract'
import { ruleLabels } from './alert-labels.ts'
import { count } from './quantity.ts'

type ChannelAddress = Pick<CreateChannelBody, 'url' | 'routing_key' | 'recipients'>

/** The address of each kind as one text. */
export const addressFields: Record<ChannelKindName, { label: string; read: (text: string) => ChannelAddress }> = {
  webhook: { label: 'URL', read: (url) => ({ url }) },
  slack: { label: 'URL of the incoming webhook', read: (url) => ({ url }) },
  teams: { label: 'URL of the Teams workflow', read: (url) => ({ url }) },
  pagerduty: { label: 'Integration key', read: (key) => ({ routing_key: key }) },
  alertmanager: { label: 'URL of the server', read: (url) => ({ url }) },
  email: {
    label: 'E-mail addresses, separated by commas',
    read: (text) => ({ recipients: text.split(',').map((each) => each.trim()) }),
  },
}

export const addressPointers = ['/url', '/routing_key', '/recipients']

export const eventLabels: readonly (readonly [MessageEvent, string])[] = [
  ...Object.entries(ruleLabels).map(([rule, { word }]) => [rule as MessageEvent, word] as const),
  ['weekly_digest', 'Weekly digest'],
  ['monthly_statements', 'Monthly statements'],
]

/** The service never returns the address, so an empty address means that it stays. */
export type ChannelFields = { name: string; address: string; events: readonly MessageEvent[] | null }

export const fieldsOf = ({ name, events }: Channel): ChannelFields => ({ name, address: '', events })

/** Only the changed fields. Undefined: nothing has changed. */
export function channelEditOf(
  channel: Channel,
  { name, address, events }: ChannelFields,
): UpdateChannelBody | undefined {
  const hasOtherEvents = JSON.stringify(events?.toSorted()) !== JSON.stringify(channel.events?.toSorted())
  const edit: UpdateChannelBody = {
    ...(name === channel.name ? {} : { name }),
    ...(hasOtherEvents ? { events: events === null ? null : [...events] } : {}),
    ...(address.trim() === '' ? {} : addressFields[channel.kind].read(address.trim())),
  }
  return Object.keys(edit).length === 0 ? undefined : edit
}

/** What happens to the messages of a channel that is deleted. */
export function deletionText({ waiting, dead }: Pick<Channel, 'waiting' | 'dead'>): string {
  const lost = [
    ...(waiting > 0 ? [`${count(waiting, 'waiting message')} will not be sent.`] : []),
    ...(dead > 0 ? [`${count(dead, 'undelivered message')} cannot be redelivered.`] : []),
  ]
  return ['This deletes the channel and its delivery log.', ...lost].join(' ')
}
