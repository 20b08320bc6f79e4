import type { Savings } from '@plimsoll/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { attributesOf, markupOf, textOf } from '../../../test/markup.ts'
import { Funnel } from './funnel.tsx'

const nothing = {
  ...{ estimated: 0, bankable: 0, approved: 0, approved_bankable: 0, implemented: 0, implemented_bankable: 0 },
  ...{ observed: 0, verified: 0, reverted: 0, left_out: 0 },
}

function funnelOf(total: Partial<typeof nothing>): string {
  const savings = { rows: [], to: '2026-03', total: { ...nothing, ...total } } as unknown as Savings
  const funnel = createElement(Funnel, { savings })
  // The link to the costs depends on the permissions of the session.
  return markupOf(createElement(QueryClientProvider, { client: new QueryClient() }, funnel))
}

/** The widths of the bars, in percent. */
const widthsOf = (markup: string) =>
  attributesOf(markup, 'style').flatMap((style) => /^width:(.*)%$/.exec(style)?.[1]?.replace(/^$/, '0') ?? [])

test('each stage has its bankable and its estimated savings', () => {
  const text = textOf(funnelOf({ estimated: 400, bankable: 300, approved: 200, approved_bankable: 150, observed: 50 }))
  for (const stage of ['Recommended', 'Approved', 'Implemented', 'Observed']) expect(text).toContain(`|${stage}|`)
  expect(text).toContain('$300')
  expect(text).toContain('$400/month estimated')
  expect(text).toContain('$150')
  expect(text).toContain('$200/month estimated')
})

test('all bars share one scale: the largest amount fills it', () => {
  const widths = widthsOf(funnelOf({ estimated: 400, bankable: 200, observed: 100 }))
  expect(widths).toEqual(['50', '100', '0', '0', '0', '0', '25'])
})

test('bankable savings above the estimate set the scale', () => {
  expect(widthsOf(funnelOf({ estimated: 100, bankable: 400 })).slice(0, 2)).toEqual(['100', '25'])
})

test('negative observed savings have no bar', () => {
  expect(widthsOf(funnelOf({ estimated: 100, observed: -20 })).at(-1)).toBe('0')
})

test('reverted savings and changes that count once are named, and only if there are any', () => {
  expect(textOf(funnelOf({ estimated: 100 }))).not.toMatch(/reverted/)
  expect(textOf(funnelOf({ implemented: 100, reverted: 30 }))).toContain('$30/month of implemented savings')
  expect(textOf(funnelOf({ estimated: 100, left_out: 12 }))).toContain('Excludes $12/month')
})
