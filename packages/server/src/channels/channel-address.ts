import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { ChannelKindName, CreateChannelBody } from '@plimsoll/contract'
import type { Secrets } from '../platform/auth/secrets.ts'
import type { FieldError } from '../platform/http/problem.ts'
import { AddressGuard } from '../platform/outbound/address-guard.ts'
import type { ChannelRow } from './queries/channels.ts'

/** The secret part of a channel, stored encrypted. */
export type ChannelAddress = {
  url?: string
  /** Of webhooks: the key of the signature. */
  secret?: string
  /** Of PagerDuty. */
  routingKey?: string
  /** Of e-mail. */
  recipients?: string[]
}

export type AddressFields = Pick<CreateChannelBody, 'url' | 'routing_key' | 'recipients'>

const fieldNames = ['url', 'routing_key', 'recipients'] as const

const fieldsOf: Record<ChannelKindName, { required: (keyof AddressFields)[]; optional: (keyof AddressFields)[] }> = {
  webhook: { required: ['url'], optional: [] },
  slack: { required: ['url'], optional: [] },
  teams: { required: ['url'], optional: [] },
  pagerduty: { required: ['routing_key'], optional: ['url'] },
  alertmanager: { required: ['url'], optional: [] },
  email: { required: ['recipients'], optional: [] },
}

type AddressCheck = {
  kind: ChannelKindName
  fields: AddressFields
  networks: readonly string[]
  /** An edit keeps the fields that it does not mention. */
  isEdit?: boolean
}

/** Every wrong field. The details never quote an address, because it is a secret. */
export function addressErrors({ kind, fields, networks, isEdit = false }: AddressCheck): FieldError[] {
  const { required, optional } = fieldsOf[kind]
  const missing = isEdit ? [] : required.filter((name) => fields[name] === undefined)
  const unwanted = fieldNames.filter((name) => fields[name] !== undefined && ![...required, ...optional].includes(name))
  return [
    ...missing.map((name) => ({ pointer: `/${name}`, code: 'required', detail: `is required for the kind ${kind}` })),
    ...unwanted.map((name) => ({
      pointer: `/${name}`,
      code: 'unwanted',
      detail: `is not allowed for the kind ${kind}`,
    })),
    ...(unwanted.includes('url') || fields.url === undefined ? [] : urlErrors(fields.url, networks)),
  ]
}

/** Names are resolved at each try. A literal address is checked here already. */
function urlErrors(text: string, networks: readonly string[]): FieldError[] {
  const error = (code: string, detail: string) => [{ pointer: '/url', code, detail }]
  if (!URL.canParse(text)) return error('url', 'is not a valid URL')
  const { username, password, hostname } = new URL(text)
  if (username !== '' || password !== '') return error('url', 'must not contain a user name or a password')
  const host = bareHost(hostname)
  return isIP(host) !== 0 && new AddressGuard(networks).judge(host) === 'refused'
    ? error(
        'address_refused',
        'must not be a metadata service, or a private address outside the networks in PLIMSOLL_OUTBOUND_NETWORKS',
      )
    : []
}

const bareHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/** A webhook gets a new secret. An edit keeps what it does not mention. */
export function addressOf(kind: ChannelKindName, fields: AddressFields, before: ChannelAddress = {}): ChannelAddress {
  return {
    ...(kind === 'webhook' ? { secret: newWebhookSecret() } : {}),
    ...before,
    ...(fields.url === undefined ? {} : { url: fields.url }),
    ...(fields.routing_key === undefined ? {} : { routingKey: fields.routing_key }),
    ...(fields.recipients === undefined ? {} : { recipients: fields.recipients }),
  }
}

/** As the Standard Webhooks specification writes keys. */
const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const pagerDutyUrl = 'https://events.pagerduty.com/v2/enqueue'

/** Where the messages of a channel are posted. */
export function postUrl(kind: ChannelKindName, { url }: ChannelAddress): string {
  if (kind === 'pagerduty') return url ?? pagerDutyUrl
  if (url === undefined) throw new Error('the channel has no URL')
  if (kind !== 'alertmanager' || new URL(url).pathname.endsWith('/alerts')) return url
  const base = new URL(url)
  base.pathname = `${base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`}api/v2/alerts`
  return base.href
}

/** The only part of an address that people see. */
export function shownHost(kind: ChannelKindName, address: ChannelAddress): string {
  if (kind !== 'email') return new URL(postUrl(kind, address)).host
  const domains = (address.recipients ?? []).map((each) => each.slice(each.lastIndexOf('@') + 1).toLowerCase())
  return [...new Set(domains)].join(', ')
}

export const sealAddress = (secrets: Secrets, channelId: string, address: ChannelAddress): Buffer =>
  secrets.sealValue(JSON.stringify(address), `channel ${channelId}`)

export const openAddress = (secrets: Secrets, { channel_id: id, sealed }: ChannelRow): ChannelAddress =>
  JSON.parse(secrets.unsealValue(sealed, `channel ${id}`)) as ChannelAddress
