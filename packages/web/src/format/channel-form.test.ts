import type { Channel } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { channelEditOf, deletionText, fieldsOf } from './channel-form.ts'

const channel: Channel = {
  id: 'chn_1',
  name: 'Platform',
  kind: 'email',
  host: 'example.com',
  events: ['cluster_silent', 'budget_actual'],
  enabled: true,
  disabled_reason: null,
  waiting: 0,
  dead: 0,
  last_delivered_at: null,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
  etag: '"1-a"',
}

test('an edit contains only the changed fields, and an empty address stays', () => {
  const fields = fieldsOf(channel)
  expect(channelEditOf(channel, fields)).toBeUndefined()
  expect(channelEditOf(channel, { ...fields, events: ['budget_actual', 'cluster_silent'] })).toBeUndefined()
  expect(channelEditOf(channel, { ...fields, name: 'FinOps', events: null })).toEqual({ name: 'FinOps', events: null })
  expect(channelEditOf(channel, { ...fields, address: ' ada@example.com, eva@example.com ' })).toEqual({
    recipients: ['ada@example.com', 'eva@example.com'],
  })
})

test('the text before a deletion says what happens to the messages', () => {
  expect(deletionText({ waiting: 0, dead: 0 })).toBe('This deletes the channel and its delivery log.')
  expect(deletionText({ waiting: 2, dead: 1 })).toBe(
    'This deletes the channel and its delivery log. 2 waiting messages will not be sent. ' +
      '1 undelivered message cannot be redelivered.',
  )
})
