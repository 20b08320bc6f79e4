import { expect, test } from 'vitest'
import { dayText } from '../../day-text.ts'
import { DAY, NOW, sayOf, someFacts } from '../builders.ts'
import { controlPlaneExtendedSupport } from './control-plane-extended-support.ts'
import type { ControlPlaneFacts } from '../facts/object-facts.ts'

const say = (over: Partial<ControlPlaneFacts> = {}) => {
  const facts = {
    provider: 'aws',
    version: '1.31',
    supportEndsAt: NOW - DAY,
    surchargeUsdPerMonth: 365,
    upgrade: null,
    ...over,
  }
  return sayOf(controlPlaneExtendedSupport, someFacts({ controlPlane: facts })).findings
}

test('a version after standard support costs the surcharge', () => {
  expect(say()).toMatchObject([
    { estimatedUsdPerMonth: 365, bankableUsdPerMonth: 365, title: expect.stringMatching(/1\.31/) as string },
  ])
})

test('the finding names the version to upgrade to and its end of support, if known', () => {
  const upgrade = { version: '1.34', endsAt: NOW + DAY }
  const [known] = say({ upgrade })
  const until = dayText(NOW + DAY)
  expect(known?.change.summary).toContain(
    `from 1.31 to 1.34, one minor version at a time. Standard support of 1.34 lasts until ${until}`,
  )
  expect(known?.change.fields).toEqual([{ path: 'version', from: '1.31', to: '1.34' }])
  expect(say()[0]?.change.summary).toContain('from 1.31 to a version in standard support')
})

test('nothing is found during standard support, without a known end or charge, or for a self-managed control plane', () => {
  expect(say({ supportEndsAt: NOW + 1 })).toEqual([])
  expect(say({ supportEndsAt: null })).toEqual([])
  expect(say({ surchargeUsdPerMonth: null })).toEqual([])
  expect(sayOf(controlPlaneExtendedSupport, someFacts({ controlPlane: null })).findings).toEqual([])
})
