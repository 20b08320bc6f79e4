import { fit } from './fit.ts'
import { boundMessage, headline, type Message } from './message.ts'
import type { RenderedRequest } from './channel-kind.ts'

const limits = { header: 150, text: 3_000, field: 2_000, button: 75 }

const icons = { info: 'ℹ️', warning: '⚠️', critical: '🚨' }

export function renderSlack(message: Message): RenderedRequest {
  const bound = boundMessage(message)
  const { facts, links, endedAt, severity } = bound
  const title = `${endedAt === null ? icons[severity] : '✅'} ${headline(bound)}`
  const blocks = [
    { type: 'header', text: plainText(fit(title, limits.header, escapeSlack)) },
    ...(facts.length === 0 ? [] : [{ type: 'section', fields: facts.map(fieldOf) }]),
    ...(links.length === 0 ? [] : [{ type: 'actions', elements: links.map(buttonOf) }]),
  ]
  return { headers: {}, body: JSON.stringify({ text: fit(title, limits.text, escapeSlack), blocks }) }
}

/** Slack reads `<…>` as links and mentions: `<!channel>` would notify everybody. */
const escapeSlack = (character: string) =>
  character === '&' ? '&amp;' : character === '<' ? '&lt;' : character === '>' ? '&gt;' : character

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false })

const escaped = (text: string, max: number) => fit(text, max, escapeSlack)

/** Verbatim: Slack turns no `@here` or `#channel` of the text into a mention. */
const fieldOf = ({ label, value }: Message['facts'][number]) => ({
  type: 'mrkdwn',
  text: `*${escaped(label, 400)}*\n${escaped(value, limits.field - 410)}`,
  verbatim: true,
})

const buttonOf = ({ label, url }: Message['links'][number]) => ({
  type: 'button',
  text: plainText(escaped(label, limits.button)),
  url,
})
