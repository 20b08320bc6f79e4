import { groupedCents } from '../count.ts'
import { fit } from './fit.ts'

export type MessageSeverity = 'info' | 'warning' | 'critical'

export type MessageFact = { label: string; value: string }

export type MessageLink = { label: string; url: string }

export type MessageMoney = { label: string; amount: number; currency: string; per: 'month' | 'day' | null }

/** A message to people. Each kind of channel renders it in its own format. */
export type Message = {
  event: string
  severity: MessageSeverity
  /** One line. The message about the end of an event has the same title. */
  title: string
  facts: MessageFact[]
  money: MessageMoney | null
  links: MessageLink[]
  /** The same for all messages about one event, at most 255 characters. */
  dedupKey: string
  /** ISO 8601, UTC. */
  startedAt: string
  /** Null: the event still lasts, or has no end. */
  endedAt: string | null
}

const limits = { title: 300, label: 80, value: 300, url: 1_000, facts: 10, links: 3 }

/**
 * Every channel renders this smaller message, so that no field of a cluster can exceed the limits of a channel. A link
 * that is too long or not a web address is left out, because a shortened address would be wrong.
 */
export function boundMessage(message: Message): Message {
  const { title, money, links } = message
  const facts = money === null ? message.facts : [{ label: money.label, value: formatMoney(money) }, ...message.facts]
  return {
    ...message,
    title: fit(oneLine(title), limits.title),
    facts: boundFacts(facts),
    money: money === null ? null : { ...money, label: fit(oneLine(money.label), limits.label) },
    links: links
      .filter(({ url }) => url.length <= limits.url && /^https?:\/\/[!-~]+$/.test(url) && !/["<>\\^`{|}]/.test(url))
      .slice(0, limits.links)
      .map(({ label, url }) => ({ label: fit(oneLine(label), limits.label), url })),
  }
}

function boundFacts(facts: readonly MessageFact[]): MessageFact[] {
  const isTooMany = facts.length > limits.facts
  const shown = isTooMany ? facts.slice(0, limits.facts - 1) : facts
  const bound = shown.map(({ label, value }) => ({
    label: fit(oneLine(label), limits.label),
    value: fit(oneLine(value), limits.value),
  }))
  return isTooMany ? [...bound, { label: 'More', value: `${facts.length - shown.length} more` }] : bound
}

/** Line breaks would start headers, and characters that reorder text would disguise it. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .trim()

export function formatMoney({ amount, currency, per }: MessageMoney): string {
  const digits = groupedCents(amount)
  const text = currency === 'USD' ? `$${digits}` : `${digits} ${currency}`
  return `${amount < 0 ? '−' : ''}${text}${per === null ? '' : `/${per}`}`
}

/** For channels where a second message says that the event has ended. */
export const headline = ({ title, endedAt }: Message) => (endedAt === null ? title : `Resolved: ${title}`)
