import { expect, test } from 'vitest'
import { aNamespace, evaluateRule, someFacts } from '../builders.ts'
import { isNonProduction } from '../facts/non-production.ts'
import { nonprodOffhoursSchedule } from './nonprod-offhours-schedule.ts'
import type { NamespaceFacts, NamespaceRhythm } from '../facts/object-facts.ts'

const evaluate = (over: Partial<NamespaceFacts> = {}, rhythm: Partial<NamespaceRhythm> = {}) => {
  const quiet = { days: 14, coverage: 1, officeCpuMillicores: 2000, offCpuMillicores: 100, ...rhythm }
  const namespace = aNamespace({ name: 'staging', requestUsdPerMonth: 168, rhythm: quiet, ...over })
  return evaluateRule(nonprodOffhoursSchedule, someFacts({ namespaces: [namespace] }))
}

test('98 of 168 hours are outside working hours, and that share of its requests is saved', () => {
  const { findings } = evaluate()
  expect(findings).toMatchObject([{ target: { kind: 'Namespace', name: 'staging' }, bankableUsdPerMonth: null }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(98, 6)
})

test('nothing is found for production, for a namespace that is busy at night, and for one that is never busy', () => {
  expect(evaluate({ name: 'shop' }).findings).toEqual([])
  expect(evaluate({}, { offCpuMillicores: 501 }).findings).toEqual([])
  expect(evaluate({}, { officeCpuMillicores: 0, offCpuMillicores: 0 }).findings).toEqual([])
})

test('a short history and a low coverage withhold it, a missing price or rhythm omits it', () => {
  expect(evaluate({}, { days: 6 }).reasons).toEqual(['too_little_history'])
  expect(evaluate({}, { coverage: 0.7 }).reasons).toEqual(['low_coverage'])
  expect(evaluate({ requestUsdPerMonth: null }).findings).toEqual([])
  expect(evaluate({ rhythm: null }).findings).toEqual([])
})

test.each([
  ['a label takes precedence over the name', { name: 'staging', labels: { env: 'production' } }, false],
  ['a label names it', { name: 'blue', labels: { environment: 'QA' } }, true],
  ['a word of the name matches', { name: 'team-a-dev', labels: {} }, true],
  ['a part of a word does not match', { name: 'devices', labels: {} }, false],
])('%s', (_why, namespace, expected) => {
  expect(isNonProduction(namespace)).toBe(expected)
})
