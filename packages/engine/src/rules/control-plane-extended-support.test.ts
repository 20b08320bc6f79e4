import { expect, test } from 'vitest'
import { DAY, NOW, sayOf, someFacts } from './builders.ts'
import { controlPlaneExtendedSupport } from './control-plane-extended-support.ts'
import type { ControlPlaneFacts } from './object-facts.ts'

const say = (over: Partial<ControlPlaneFacts> = {}) => {
  const facts = { provider: 'aws', version: '1.31', supportEndsAt: NOW - DAY, surchargeUsdPerMonth: 365, ...over }
  return sayOf(controlPlaneExtendedSupport, someFacts({ controlPlane: facts })).findings
}

test('a version out of ordinary support costs the surcharge', () => {
  expect(say()).toMatchObject([{ estimatedUsdPerMonth: 365, bankableUsdPerMonth: 365, title: /1\.31/ }])
})

test('nothing is said while it is supported, its end is not known, nothing is charged, or it is one’s own', () => {
  expect(say({ supportEndsAt: NOW + 1 })).toEqual([])
  expect(say({ supportEndsAt: null })).toEqual([])
  expect(say({ surchargeUsdPerMonth: null })).toEqual([])
  expect(sayOf(controlPlaneExtendedSupport, someFacts({ controlPlane: null })).findings).toEqual([])
})
