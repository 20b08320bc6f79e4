import type { Evidence } from '@plimsoll/contract'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { countOf, markupOf, textOf } from '../../../test/markup.ts'
import { EvidenceFacts } from './evidence-facts.tsx'

const evidence = {
  written_at: '2026-03-01T12:00:00Z',
  window: { from: '2026-02-15T00:00:00Z', to: '2026-03-01T00:00:00Z', hours: 336 },
  usage: { cpu_millicores: { p50: 100, p95: 250, max: 900 }, memory_bytes: null },
  sample_count: 20_160,
  coverage: 0.98,
  facts: { container: 'app', pods: 10 },
}

const factsOf = (changed: Partial<Record<keyof typeof evidence, unknown>> = {}) =>
  markupOf(createElement(EvidenceFacts, { evidence: { ...evidence, ...changed } as unknown as Evidence }))

test('the figures of the window are named with their units', () => {
  const text = textOf(factsOf())
  expect(text).toContain('|15 Feb 2026 – 1 Mar 2026|')
  expect(text).toContain('|20,160|')
  expect(text).toContain('|98.0 %|')
  expect(text).toContain('|CPU of app per minute, p50 / p95 / max|100m / 250m / 900m|')
  expect(text).toContain('|Pods|10|')
})

test('unknown values have no row', () => {
  const rows = (markup: string) => countOf(markup, 'dt')
  expect(rows(factsOf({ sample_count: null, coverage: null }))).toBe(rows(factsOf()) - 2)
  expect(textOf(factsOf())).not.toContain('Memory of app')
})

test('without a window the evidence is about the current state', () => {
  expect(textOf(factsOf({ window: null }))).toContain('|Window|current state|')
})

test('without a container the usage is of the workload', () => {
  expect(textOf(factsOf({ facts: {} }))).toContain('|CPU per minute, p50 / p95 / max|')
})
