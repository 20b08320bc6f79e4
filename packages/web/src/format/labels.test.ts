import { recommendationStatuses } from '@plimsoll/contract'
import { CLOUD_PROVIDERS } from '@plimsoll/engine/vocabulary'
import { describe, expect, test } from 'vitest'
import { actionLabels, labelOfAction } from './audit-labels.ts'
import { channelKindLabels, deliveryStateLabels } from './channel-labels.ts'
import {
  capital,
  clusterLabels,
  kindName,
  neutral,
  ownerName,
  plainName,
  providerName,
  providers,
  ruleName,
  stateName,
  statusLabels,
  verificationLabels,
} from './labels.ts'

const isLabel = /^[A-Z][^_]*[^.]$/

describe('labels', () => {
  test.each([
    ['cluster states', Object.values(clusterLabels).map(({ word }) => word)],
    ['verification states', Object.values(verificationLabels).map(({ word }) => word)],
    ['channels', Object.values(channelKindLabels)],
    ['deliveries', Object.values(deliveryStateLabels)],
  ])('of %s begin with a capital letter, end without a period and are unique', (_name, words) => {
    for (const word of words) expect(word).toMatch(isLabel)
    expect(new Set(words).size).toBe(words.length)
  })

  test('every status of a recommendation has a tone and a name', () => {
    expect(Object.keys(statusLabels).sort()).toEqual([...recommendationStatuses].sort())
    expect(recommendationStatuses.map(stateName)).toContain('Open')
    for (const status of recommendationStatuses) expect(stateName(status)).toMatch(isLabel)
  })

  test('before the first data, a good state is neutral and a bad one stays', () => {
    expect((['ok', 'warn', 'danger', 'muted'] as const).map(neutral)).toEqual(['muted', 'warn', 'danger', 'muted'])
  })
})

describe('names', () => {
  test('every cloud provider has a title, and an unknown provider is called so', () => {
    expect(providers.map(([id]) => id)).toEqual(CLOUD_PROVIDERS)
    for (const [, title] of providers) expect(title).toMatch(/^\S.*\S$/)
    expect(providerName('unknown')).toBe('unknown provider')
  })

  test.each([
    ['NodePool', 'node pool'],
    ['ControlPlane', 'control plane'],
    ['Deployment', 'Deployment'],
  ])('the kind %s reads %s', (kind, name) => expect(kindName(kind)).toBe(name))

  test.each([
    ['__idle__', 'Unallocated'],
    ['__unmounted__', 'Unattached volumes'],
    ['__unattached__', 'Load balancers without endpoints'],
    ['shop', 'shop'],
  ])('the owner %s reads %s', (name, shown) => expect(ownerName(name)).toBe(shown))

  test('a rule is shown by its name, or by its ID as text', () => {
    expect(ruleName({ rule_id: 'gpu_idle', rule_name: 'Idle GPU' })).toBe('Idle GPU')
    expect(ruleName({ rule_id: 'gpu_idle', rule_name: null })).toBe('Gpu idle')
  })

  test('an API key is an API token on every page', () => {
    expect(['api_key', 'api_keys', 'agent_token'].map(plainName)).toEqual(['API token', 'API tokens', 'agent token'])
  })

  test('only the first letter becomes a capital', () => {
    expect([capital('not priced'), capital('vCPU'), capital('')]).toEqual(['Not priced', 'VCPU', ''])
  })
})

describe('audit actions', () => {
  test('continue the name of a user: they begin with a verb in the past', () => {
    for (const text of Object.values(actionLabels)) {
      expect(text).toMatch(/^([a-z]+ed|set|sent|withdrew)( |$)/)
      expect(text).not.toMatch(/[._]/)
    }
  })

  test('an action of a newer version is shown by its ID', () => {
    expect(labelOfAction('cluster.create')).toBe('connected a cluster')
    expect(labelOfAction('report.send_now')).toBe('report send now')
  })
})
