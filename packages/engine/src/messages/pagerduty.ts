import { fit } from './fit.ts'
import { boundMessage, type Message } from './message.ts'
import type { RenderedRequest, Rendering } from './channel-kind.ts'

const summaryMax = 1_024

/** PagerDuty Events API v2. The end of an event resolves the incident with the same key. */
export function renderPagerDuty(message: Message, { routingKey, source }: Rendering): RenderedRequest {
  const { event, severity, title, facts, links, dedupKey, startedAt, endedAt } = boundMessage(message)
  const keys = { routing_key: routingKey, dedup_key: dedupKey }
  if (endedAt !== null) return { headers: {}, body: JSON.stringify({ ...keys, event_action: 'resolve' }) }
  return {
    headers: {},
    body: JSON.stringify({
      ...keys,
      event_action: 'trigger',
      payload: {
        summary: fit(title, summaryMax),
        source,
        severity,
        timestamp: startedAt,
        class: event,
        custom_details: Object.fromEntries(facts.map(({ label, value }) => [label, value])),
      },
      links: links.map(({ label, url }) => ({ href: url, text: label })),
      client: 'Plimsoll',
    }),
  }
}
