import {
  Channel,
  ChannelList,
  CreateChannelBody,
  CreatedChannel,
  DeliveryList,
  ListChannelsQuery,
  ListDeliveriesQuery,
  RedeliverBody,
  Redelivered,
  TestResult,
  UpdateChannelBody,
  channelsMax,
} from '../schemas/channels.ts'
import { IfMatch, NoContent } from '../schemas/common.ts'
import { ChannelParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const channelOperations = {
  listChannels: operation('GET /api/v1/channels', {
    access: 'webhooks:read',
    tag: 'Channels',
    summary: 'List channels, newest first',
    query: ListChannelsQuery,
    response: { 200: ChannelList },
  }),

  createChannel: operation('POST /api/v1/channels', {
    access: 'webhooks:write',
    tag: 'Channels',
    summary: 'Create a channel',
    description: `A channel receives messages about alerts. The address is stored encrypted; responses contain only its host. At most ${channelsMax} channels are possible. The service refuses addresses in private networks, except networks of the setting \`PLIMSOLL_OUTBOUND_NETWORKS\`.`,
    body: CreateChannelBody,
    response: { 201: CreatedChannel },
  }),

  getChannel: operation('GET /api/v1/channels/:channel_id', {
    access: 'webhooks:read',
    tag: 'Channels',
    summary: 'Show a channel',
    params: ChannelParams,
    response: { 200: Channel },
  }),

  updateChannel: operation('PATCH /api/v1/channels/:channel_id', {
    access: 'webhooks:write',
    tag: 'Channels',
    summary: 'Change a channel, or enable or disable it',
    description:
      'Waiting messages go to the new address. Other `events` apply to later alerts; messages that wait already are still sent.',
    params: ChannelParams,
    headers: IfMatch,
    body: UpdateChannelBody,
    response: { 200: Channel },
  }),

  deleteChannel: operation('DELETE /api/v1/channels/:channel_id', {
    access: 'webhooks:write',
    tag: 'Channels',
    summary: 'Delete a channel with its deliveries',
    description: 'Waiting messages are deleted and not sent.',
    params: ChannelParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),

  testChannel: operation('POST /api/v1/channels/:channel_id/test', {
    access: 'webhooks:write',
    tag: 'Channels',
    summary: 'Send a test message and wait for the result',
    description: 'Waits for the receiver for at most 15 seconds. Also works for a disabled channel.',
    params: ChannelParams,
    response: { 200: TestResult },
  }),

  listDeliveries: operation('GET /api/v1/channels/:channel_id/deliveries', {
    access: 'webhooks:read',
    tag: 'Channels',
    summary: 'List the deliveries of a channel with their attempts, newest first',
    description: 'Deliveries are kept for 90 days.',
    params: ChannelParams,
    query: ListDeliveriesQuery,
    response: { 200: DeliveryList },
  }),

  redeliver: operation('POST /api/v1/channels/:channel_id/redeliver', {
    access: 'webhooks:write',
    tag: 'Channels',
    summary: 'Resend failed deliveries',
    description: 'Each delivery gets ten more tries and keeps its `webhook-id`.',
    params: ChannelParams,
    body: RedeliverBody,
    response: { 202: Redelivered },
  }),
}
