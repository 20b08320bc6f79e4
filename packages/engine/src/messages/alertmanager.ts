import { hourMs } from '../time.ts'
import { boundMessage, type Message } from './message.ts'
import type { RenderedRequest, Rendering } from './channel-kind.ts'

/** Alertmanager ends an alert by itself at `endsAt`, and without `endsAt` after five minutes. */
const openForMs = 24 * hourMs

/** Alertmanager API v2. Labels identify an alert, so they are the same at its end. */
export function renderAlertmanager(message: Message, { sentAt }: Rendering): RenderedRequest {
  const { event, severity, title, facts, links, dedupKey, startedAt, endedAt } = boundMessage(message)
  const [link] = links
  const alert = {
    labels: { alertname: event, severity, dedup_key: dedupKey, source: 'plimsoll' },
    annotations: {
      summary: title,
      description: facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    },
    startsAt: startedAt,
    endsAt: endedAt ?? new Date(sentAt.getTime() + openForMs).toISOString(),
    ...(link === undefined ? {} : { generatorURL: link.url }),
  }
  return { headers: {}, body: JSON.stringify([alert]) }
}
