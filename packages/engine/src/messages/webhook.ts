import { boundMessage, type Message } from './message.ts'
import type { RenderedRequest, Rendering } from './channel-kind.ts'

/** Standard Webhooks: receivers verify the signature with any library of that specification. */
export function renderWebhook(message: Message, { deliveryId, sentAt, sign }: Rendering): RenderedRequest {
  const body = JSON.stringify(webhookBody(boundMessage(message)))
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  return {
    headers: {
      'webhook-id': deliveryId,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${sign(`${deliveryId}.${timestamp}.${body}`)}`,
    },
    body,
  }
}

/** The end of an event is a separate event. The body is the same in each try. */
const webhookBody = ({ event, severity, title, facts, money, links, dedupKey, startedAt, endedAt }: Message) => ({
  type: endedAt === null ? event : `${event}.resolved`,
  timestamp: endedAt ?? startedAt,
  data: {
    severity,
    title,
    facts,
    money,
    links,
    dedup_key: dedupKey,
    started_at: startedAt,
    ended_at: endedAt,
  },
})
