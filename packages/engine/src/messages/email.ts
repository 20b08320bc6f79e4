import { boundMessage, headline, type Message } from './message.ts'
import type { RenderedMail, Rendering } from './channel-kind.ts'

/** Text and HTML without remote content. Messages about one event refer to one thread. */
export function renderEmail(message: Message, { deliveryId, source, settingsUrl }: Rendering): RenderedMail {
  const bound = boundMessage(message)
  const thread = `<${threadName(message.dedupKey)}@${source}>`
  return {
    subject: `${message.endedAt === null ? '' : 'Re: '}[Plimsoll] ${bound.title}`,
    text: textOf(bound, settingsUrl),
    html: htmlOf(bound, settingsUrl),
    messageId: `<${deliveryId}@${source}>`,
    headers: {
      'In-Reply-To': thread,
      References: thread,
      'List-Unsubscribe': `<${settingsUrl}>`,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  }
}

/** Only characters that a message ID may have. */
const threadName = (dedupKey: string) => encodeURIComponent(dedupKey.replace(/\p{Cs}/gu, '')).replace(/[!'()*~]/g, '_')

function textOf(message: Message, settingsUrl: string): string {
  const facts = message.facts.map(({ label, value }) => `${label}: ${value}`)
  const links = message.links.map(({ label, url }) => `${label}: ${url}`)
  const parts = [[headline(message)], facts, links, ['-- ', `Change this channel: ${settingsUrl}`]]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function htmlOf(message: Message, settingsUrl: string): string {
  const row = ({ label, value }: Message['facts'][number]) =>
    `<tr><td style="padding:2px 16px 2px 0;color:#555">${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`
  const link = ({ label, url }: Message['links'][number]) =>
    `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="font-family:sans-serif;font-size:15px;color:#222">',
    `<h1 style="font-size:18px">${escapeHtml(headline(message))}</h1>`,
    ...(message.facts.length === 0 ? [] : [`<table role="presentation">${message.facts.map(row).join('')}</table>`]),
    ...message.links.map(link),
    `<p style="font-size:12px;color:#777"><a href="${escapeHtml(settingsUrl)}">Change this channel</a></p>`,
    '</body></html>',
  ].join('\n')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
