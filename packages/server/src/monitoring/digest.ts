import type { Message } from '@plimsoll/engine/messages'
import { dayMs, hourMs } from '@plimsoll/engine'

export type DigestFigures = {
  runRateUsd: number
  bankableUsd: number
  /** Titles, the newest first. */
  alerts: readonly string[]
  /** The best open recommendations. */
  recommendations: readonly { title: string; usdPerMonth: number }[]
}

const hourOfDigest = 7
const alertsShown = 4

/** Monday 07:00 UTC of the week of `now`, or of the week before. */
export function lastDigestTime(now: Date): Date {
  const day = Math.floor(now.getTime() / dayMs)
  const sinceMonday = (day + 3) % 7
  const monday = new Date((day - sinceMonday) * dayMs + hourOfDigest * hourMs)
  return monday <= now ? monday : new Date(monday.getTime() - 7 * dayMs)
}

/** The digest of a Monday is sent once, within the day: a server that was down does not send it later. */
export function isDigestDue(sentAt: Date | null, now: Date): boolean {
  const time = lastDigestTime(now)
  return (sentAt === null || sentAt < time) && now.getTime() - time.getTime() < dayMs
}

const usd = (value: number) => `$${Math.round(value).toLocaleString('en-US')}`

export function digestMessage({ runRateUsd, bankableUsd, alerts, recommendations }: DigestFigures, at: Date): Message {
  const more = alerts.length - alertsShown
  return {
    event: 'weekly_digest',
    severity: 'info',
    title: `Weekly digest, ${at.toISOString().slice(0, 10)}`,
    facts: [
      { label: 'Bankable savings', value: `${usd(bankableUsd)}/month` },
      { label: 'Open alerts', value: String(alerts.length) },
      ...alerts.slice(0, alertsShown).map((title) => ({ label: 'Alert', value: title })),
      ...(more > 0 ? [{ label: 'Alert', value: `${more} more` }] : []),
      ...recommendations.map(({ title, usdPerMonth }) => ({
        label: 'Recommendation',
        value: `${title}: ${usd(usdPerMonth)}/month`,
      })),
    ],
    money: { label: 'Run rate', amount: runRateUsd, currency: 'USD', per: 'month' },
    links: [{ label: 'Open Plimsoll', url: '/' }],
    dedupKey: `weekly_digest:${at.toISOString().slice(0, 10)}`,
    startedAt: at.toISOString(),
    endedAt: null,
  }
}
