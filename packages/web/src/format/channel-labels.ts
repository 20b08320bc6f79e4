import type { ChannelKindName, Delivery } from '@plimsoll/contract'

export const channelKindLabels: Record<ChannelKindName, string> = {
  webhook: 'Webhook, signed',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  alertmanager: 'Alertmanager',
  email: 'E-mail',
}

export const deliveryStateLabels: Record<Delivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  dead: 'Not delivered',
  cancelled: 'Not sent',
}
