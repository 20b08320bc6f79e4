import { describe, expect, test } from 'vitest'
import { channelKindOf, channelKinds, type ChannelKind } from './channel-kinds.ts'
import type { Rendering } from './channel-kind.ts'
import { fit } from './fit.ts'
import { formatMoney, type Message } from './message.ts'

const rendering: Rendering = {
  deliveryId: 'msg_1',
  sentAt: new Date('2026-03-01T12:00:05Z'),
  sign: (text) => `signed(${text.length})`,
  routingKey: 'R0UT1NG',
  source: 'plimsoll.test',
  settingsUrl: 'https://plimsoll.test/settings',
}

const silent: Message = {
  event: 'cluster_silent',
  severity: 'critical',
  title: 'No data from cluster prod',
  facts: [{ label: 'Last data', value: '2026-03-01 11:30 UTC' }],
  money: { label: 'Run rate', amount: 1234.5, currency: 'USD', per: 'month' },
  links: [{ label: 'Open the cluster', url: 'https://plimsoll.test/clusters/cls_1' }],
  dedupKey: 'cluster_silent:cls_1',
  startedAt: '2026-03-01T12:00:00.000Z',
  endedAt: null,
}
const ended: Message = { ...silent, endedAt: '2026-03-01T13:00:00.000Z' }

function json(kind: ChannelKind, message: Message): unknown {
  const value = channelKindOf(kind)
  if (value.transport !== 'http') throw new Error('not JSON')
  return JSON.parse(value.render(message, rendering).body) as unknown
}

const mail = (message: Message) => channelKinds.email.render(message, rendering)

const facts = [
  { label: 'Run rate', value: '$1,234.50/month' },
  { label: 'Last data', value: '2026-03-01 11:30 UTC' },
]

describe('each kind of channel renders an event and its end:', () => {
  test('webhook', () => {
    const { headers, body } = channelKinds.webhook.render(silent, rendering)
    expect(headers).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1772366405',
      'webhook-signature': `v1,signed(${`msg_1.1772366405.${body}`.length})`,
    })
    expect(JSON.parse(body)).toEqual({
      type: 'cluster_silent',
      timestamp: silent.startedAt,
      data: {
        severity: 'critical',
        title: silent.title,
        facts,
        money: silent.money,
        links: silent.links,
        dedup_key: silent.dedupKey,
        started_at: silent.startedAt,
        ended_at: null,
      },
    })
    expect(json('webhook', ended)).toMatchObject({
      type: 'cluster_silent.resolved',
      timestamp: ended.endedAt,
      data: { ended_at: ended.endedAt },
    })
  })

  test('Slack', () => {
    const text = '🚨 No data from cluster prod'
    expect(json('slack', silent)).toEqual({
      text,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text, emoji: false } },
        {
          type: 'section',
          fields: [
            { type: 'mrkdwn', text: '*Run rate*\n$1,234.50/month', verbatim: true },
            { type: 'mrkdwn', text: '*Last data*\n2026-03-01 11:30 UTC', verbatim: true },
          ],
        },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Open the cluster', emoji: false },
              url: 'https://plimsoll.test/clusters/cls_1',
            },
          ],
        },
      ],
    })
    expect(json('slack', ended)).toMatchObject({ text: '✅ Resolved: No data from cluster prod' })
  })

  test('Teams', () => {
    expect(json('teams', silent)).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.5',
            body: [
              {
                type: 'TextBlock',
                text: silent.title,
                size: 'large',
                weight: 'bolder',
                wrap: true,
                color: 'attention',
              },
              { type: 'FactSet', facts: facts.map(({ label, value }) => ({ title: label, value })) },
            ],
            actions: [
              { type: 'Action.OpenUrl', title: 'Open the cluster', url: 'https://plimsoll.test/clusters/cls_1' },
            ],
          },
        },
      ],
    })
    expect(JSON.stringify(json('teams', ended))).toContain('"text":"Resolved: No data from cluster prod"')
  })

  test('PagerDuty', () => {
    expect(json('pagerduty', silent)).toEqual({
      routing_key: 'R0UT1NG',
      dedup_key: silent.dedupKey,
      event_action: 'trigger',
      payload: {
        summary: silent.title,
        source: 'plimsoll.test',
        severity: 'critical',
        timestamp: silent.startedAt,
        class: 'cluster_silent',
        custom_details: { 'Run rate': '$1,234.50/month', 'Last data': '2026-03-01 11:30 UTC' },
      },
      links: [{ href: 'https://plimsoll.test/clusters/cls_1', text: 'Open the cluster' }],
      client: 'Plimsoll',
    })
    expect(json('pagerduty', ended)).toEqual({
      routing_key: 'R0UT1NG',
      dedup_key: silent.dedupKey,
      event_action: 'resolve',
    })
  })

  test('Alertmanager, with the same labels at the end', () => {
    const alert = {
      labels: {
        alertname: 'cluster_silent',
        severity: 'critical',
        dedup_key: silent.dedupKey,
        source: 'plimsoll',
      },
      annotations: {
        summary: silent.title,
        description: 'Run rate: $1,234.50/month\nLast data: 2026-03-01 11:30 UTC',
      },
      startsAt: silent.startedAt,
      endsAt: '2026-03-02T12:00:05.000Z',
      generatorURL: 'https://plimsoll.test/clusters/cls_1',
    }
    expect(json('alertmanager', silent)).toEqual([alert])
    expect(json('alertmanager', ended)).toEqual([{ ...alert, endsAt: ended.endedAt }])
  })

  test('e-mail, in one thread', () => {
    const { subject, text, html, messageId, headers } = mail(silent)
    expect(subject).toBe('[Plimsoll] No data from cluster prod')
    expect(messageId).toBe('<msg_1@plimsoll.test>')
    expect(text).toBe(
      'No data from cluster prod\n\nRun rate: $1,234.50/month\nLast data: 2026-03-01 11:30 UTC\n\n' +
        'Open the cluster: https://plimsoll.test/clusters/cls_1\n\n' +
        '-- \nChange this channel: https://plimsoll.test/settings\n',
    )
    expect(html).toContain('<a href="https://plimsoll.test/clusters/cls_1">Open the cluster</a>')
    expect(html).not.toMatch(/src=|url\(|<link|<script/)
    expect(headers).toEqual({
      'In-Reply-To': '<cluster_silent%3Acls_1@plimsoll.test>',
      References: '<cluster_silent%3Acls_1@plimsoll.test>',
      'List-Unsubscribe': '<https://plimsoll.test/settings>',
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    })
    const last = mail(ended)
    expect(last.subject).toBe('Re: [Plimsoll] No data from cluster prod')
    expect(last.text).toContain('Resolved: No data from cluster prod')
    expect(last.headers.References).toBe(headers.References)
  })
})

const hostileTexts = {
  'a mention of everybody in Slack': '<!channel> <@U123> & more',
  'a link of Slack': '<https://evil.example|y>',
  'a link of Markdown': '[click](https://evil.example)',
  HTML: '<img src=x onerror="alert(1)"><script>alert(1)</script>',
  'line breaks and headers': 'a\r\nBcc: victim@example.com\r\n\r\nb',
  'text in reverse order': 'invoice\u202efdp.exe',
  'half a character': 'a\ud83d',
  '10,000 characters': 'x'.repeat(10_000),
  '10,000 characters that grow when escaped': '<'.repeat(10_000),
  '10,000 wide characters': '𝔘'.repeat(10_000),
  '10,000 quotation marks': '"\\'.repeat(5_000),
}

const hostile = (text: string): Message => ({
  ...silent,
  title: text,
  facts: Array.from({ length: 50 }, () => ({ label: text, value: text })),
  money: { label: text, amount: 1e12, currency: 'USD', per: null },
  links: Array.from({ length: 50 }, (_, index) => ({
    label: text,
    url: index % 2 === 0 ? `https://plimsoll.test/${encodeURIComponent(text.replace(/\p{Cs}/gu, ''))}` : text,
  })),
  dedupKey: text.slice(0, 255),
})

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : []

describe.each(Object.entries(hostileTexts))('%s in every field', (_name, text) => {
  test.each(Object.keys(channelKinds) as ChannelKind[])('stays within the limits of %s', (kind) => {
    const value = channelKindOf(kind)
    for (const message of [hostile(text), { ...hostile(text), endedAt: ended.endedAt }]) {
      const rendered = value.render(message, rendering)
      const bytes = 'body' in rendered ? Buffer.from(rendered.body) : Buffer.from(rendered.text + rendered.html)
      expect(bytes.length).toBeLessThanOrEqual(value.bytesMax)
      expect(bytes.toString()).not.toContain('\ufffd')
    }
  })

  test('means nothing to Slack', () => {
    const { blocks } = json('slack', hostile(text)) as {
      blocks: { text?: { text: string }; fields?: { text: string }[]; elements?: { text: { text: string } }[] }[]
    }
    expect(blocks.length).toBeLessThanOrEqual(50)
    const [header, section, actions] = blocks
    expect(header?.text?.text.length).toBeLessThanOrEqual(150)
    expect(section?.fields?.length).toBe(10)
    for (const field of section?.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2_000)
    for (const { text: label } of actions?.elements ?? []) expect(label.text.length).toBeLessThanOrEqual(75)
    const written = JSON.stringify(blocks)
    expect(written).not.toMatch(/[<>]/)
    expect(written).not.toMatch(/&(?!amp;|lt;|gt;)/)
  })

  test('is not a link in Teams', () => {
    const { body } = (json('teams', hostile(text)) as { attachments: [{ content: { body: unknown } }] }).attachments[0]
      .content
    for (const each of stringsIn(body)) expect(each).not.toMatch(/(?:^|[^\\])(?:\\\\)*[[\]<]/)
  })

  test('adds no tag and no header to an e-mail', () => {
    const { subject, html, headers, messageId } = mail(hostile(text))
    for (const each of [subject, messageId, ...Object.values(headers)]) expect(each).not.toMatch(/[\r\n]/)
    expect(html).not.toMatch(/<(?:img|script)/)
    expect(html.match(/<a /g)?.length ?? 0).toBeLessThanOrEqual(4)
    for (const [, target] of html.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^https:\/\/plimsoll\.test\//)
  })
})

test('a shortened text never ends inside a character or an escape', () => {
  const escape = (character: string) => (character === '<' ? '&lt;' : character)
  expect(fit('abc', 3)).toBe('abc')
  expect(fit('abcd', 3)).toBe('ab…')
  expect(fit('𝔘𝔘𝔘', 4)).toBe('𝔘…')
  expect(fit('a<<', 6, escape)).toBe('a&lt;…')
  expect(fit('', 0)).toBe('')
})

test.each([
  [0, 'USD', 'month', '$0.00/month'],
  [-1234.567, 'USD', null, '−$1,234.57'],
  [1e12, 'EUR', 'day', '1,000,000,000,000.00 EUR/day'],
] as const)('%d %s per %s reads %s', (amount, currency, per, text) => {
  expect(formatMoney({ label: 'Cost', amount, currency, per })).toBe(text)
})
