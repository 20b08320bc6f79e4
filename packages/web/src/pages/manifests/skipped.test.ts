import type { ManifestResult } from '@plimsoll/contract'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { countOf, markupOf, textOf } from '../../../test/markup.ts'
import { firstFormat, formats, isOfCharts } from './formats.ts'
import { Skipped } from './skipped.tsx'

type Skip = ManifestResult['skipped'][number]

const aSkip = (message: string, alternative: string | null = null) =>
  ({ message, alternative_format: alternative }) as unknown as Skip

const skippedOf = (skipped: Skip[], isOne = false, hasCommands = false) =>
  markupOf(
    createElement(Skipped, {
      skipped,
      isOne,
      hasCommands,
      onFormat: () => undefined,
    }),
  )

test('one recommendation without any manifest gives the reason and offers nothing', () => {
  const markup = skippedOf([aSkip('The node pool is not in Git.')], true)
  expect(textOf(markup)).toContain('This change has no manifest')
  expect(textOf(markup)).toContain('The node pool is not in Git.')
  expect(countOf(markup, 'button')).toBe(0)
})

test('one recommendation with commands shows only the commands', () => {
  const text = textOf(skippedOf([aSkip('Drain node a.')], true, true))
  expect(text).toContain('This change has no manifest. Run these commands:')
  expect(text).not.toContain('Drain node a.')
})

test('one recommendation with a manifest in another format offers that format', () => {
  const markup = skippedOf([aSkip('Helm sets it.', 'helm')], true)
  expect(textOf(markup)).toContain('No manifest in this format')
  expect(textOf(markup)).toMatch(/Show Helm/)
})

test('several recommendations are counted by reason', () => {
  const text = textOf(skippedOf([aSkip('No owner.'), aSkip('No owner.'), aSkip('No chart.')]))
  expect(text).toContain('3 recommendations have no manifest in this format')
  expect(text).toMatch(/2 × ?\|?No owner\./)
  expect(text).not.toContain('1 ×')
})

test('at most eight reasons are listed, and the others are counted', () => {
  const markup = skippedOf(Array.from({ length: 11 }, (_each, index) => aSkip(`Reason ${index}.`)))
  expect(countOf(markup, 'li')).toBe(9)
  expect(textOf(markup)).toMatch(/and 3 other reasons/)
})

test('a workload of a chart gets the format of charts first, any other workload does not', () => {
  expect(isOfCharts(firstFormat(true))).toBe(true)
  expect(isOfCharts(firstFormat(false))).toBe(false)
  expect(new Set(formats.map(({ value }) => value)).size).toBe(formats.length)
})
