import { count } from '@plimsoll/engine'
import type { Message } from '@plimsoll/engine/messages'
import type { AlertRow } from './queries/alerts.ts'

export type NoticedAlert = Pick<AlertRow, 'alert_id' | 'rule' | 'content' | 'fired_at' | 'resolved_at'> & {
  transition: string
}

/** The first message has the transition `firing`, later ones have other names. */
export const isEnd = ({ transition }: { transition: string }) => transition === 'resolved'

export const alertMessage = (alert: NoticedAlert, now: Date): Message => ({
  event: alert.rule,
  ...alert.content,
  dedupKey: `alert:${alert.alert_id}`,
  startedAt: (alert.fired_at ?? now).toISOString(),
  endedAt: isEnd(alert) ? (alert.resolved_at ?? now).toISOString() : null,
})

const severities = ['info', 'warning', 'critical'] as const

/** One message for several alerts. Its key orders the groups of the channel. */
export function groupMessage(channelId: string, alerts: readonly NoticedAlert[], now: Date): Message {
  const dedupKey = `alerts:${channelId}`
  const [first] = alerts
  if (first && alerts.length === 1) return { ...alertMessage(first, now), dedupKey }
  const ended = alerts.filter(isEnd)
  const opened = alerts.filter((each) => !isEnd(each))
  const worst = Math.max(
    ...(opened.length > 0 ? opened : ended).map(({ content }) => severities.indexOf(content.severity)),
  )
  return {
    event: 'alerts',
    severity: severities[worst] ?? 'info',
    title: groupTitle(opened.length, ended.length),
    facts: [
      ...opened.map(({ content }) => ({ label: 'Alert', value: content.title })),
      ...ended.map(({ content }) => ({ label: 'Resolved', value: content.title })),
    ],
    money: null,
    links: [{ label: 'Open the alerts', url: '/settings/alerts' }],
    dedupKey,
    startedAt: now.toISOString(),
    endedAt: null,
  }
}

function groupTitle(opened: number, ended: number): string {
  if (ended === 0) return count(opened, 'alert')
  if (opened === 0) return `${count(ended, 'alert')} resolved`
  return `${count(opened, 'alert')}, ${ended} resolved`
}
