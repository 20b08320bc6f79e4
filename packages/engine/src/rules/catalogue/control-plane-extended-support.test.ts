import { expect, test } from 'vitest'
import { dayText } from '../../day-text.ts'
import { DAY, NOW, evaluateRule, someFacts } from '../builders.ts'
import { controlPlaneExtendedSupport } from './control-plane-extended-support.ts'
import type { ControlPlaneFacts } from '../facts/object-facts.ts'

const evaluate = (over: Partial<ControlPlaneFacts> = {}) => {
  const facts = {
    provider: 'aws',
    version: '1.31',
    supportEndsAt: NOW - DAY,
    surchargeUsdPerMonth: 365,
    upgrade: null,
    ...over,
  }
  return evaluateRule(controlPlaneExtendedSupport, someFacts({ controlPlane: facts })).findings
}

test('a version after standard support costs the surcharge', () => {
  expect(evaluate()).toMatchObject([
    { estimatedUsdPerMonth: 365, bankableUsdPerMonth: 365, title: expect.stringMatching(/1\.31/) as string },
  ])
})

test('the finding names the version to upgrade to and its end of support, if known', () => {
  const upgrade = { version: '1.34', endsAt: NOW + DAY }
  const [known] = evaluate({ upgrade })
  const until = dayText(NOW + DAY)
  expect(known?.change.summary).toContain(
    `from 1.31 to 1.34, one minor version at a time. Standard support of 1.34 lasts until ${until}`,
  )
  expect(known?.change.fields).toEqual([{ path: 'version', from: '1.31', to: '1.34' }])
  expect(evaluate()[0]?.change.summary).toContain('from 1.31 to a version in standard support')
})

test('nothing is found during standard support, without a known end or charge, or for a self-managed control plane', () => {
  expect(evaluate({ supportEndsAt: NOW + 1 })).toEqual([])
  expect(evaluate({ supportEndsAt: null })).toEqual([])
  expect(evaluate({ surchargeUsdPerMonth: null })).toEqual([])
  expect(evaluateRule(controlPlaneExtendedSupport, someFacts({ controlPlane: null })).findings).toEqual([])
})
