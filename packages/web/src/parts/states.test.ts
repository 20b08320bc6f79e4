import { ApiError } from '@plimsoll/client'
import { createElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../test/markup.ts'
import { Field, Options, Segmented, TextField } from './controls.tsx'
import { Note, Risk, State, Tag } from './state-tags.tsx'
import { Page } from './page.tsx'
import { Section } from './section.tsx'
import { Failed, Loading, Message, QueryState } from './states.tsx'

describe('QueryState', () => {
  type Query = Parameters<typeof QueryState<string>>[0]['query']
  const query: Query = { data: undefined, isError: false, error: null, failureReason: null, refetch: vi.fn() }
  const render = (more: Partial<Query>) =>
    markupOf(
      createElement(QueryState<string>, { query: { ...query, ...more }, what: 'The list', children: (data) => data }),
    )

  test('shows data once it is loaded', () => {
    expect(render({ data: 'the rows' })).toBe('the rows')
  })

  test('shows loaded data when a later call fails', () => {
    expect(render({ data: 'the rows', isError: true, error: new Error('away') })).toBe('the rows')
  })

  test('shows skeletons before the data is loaded', () => {
    expect(render({})).toContain('skeleton')
  })

  test('shows the error and a button when the first call fails', () => {
    const markup = render({ isError: true, error: new Error('The disk is full.') })
    expect(textOf(markup)).toContain('The disk is full.')
    expect(countOf(markup, 'button')).toBe(1)
    expect(markup).not.toContain('skeleton')
  })
})

describe('Failed, Loading and Message', () => {
  test('without a retry there is no button', () => {
    const markup = markupOf(createElement(Failed, { error: new Error('Broken.'), what: 'The list' }))
    expect(countOf(markup, 'button')).toBe(0)
    expect(markup).toContain('tone-danger')
  })

  test('a missing object has no retry button', () => {
    const error = new ApiError(404, 'not_found', 'There is no such recommendation.')
    const markup = markupOf(createElement(Failed, { error, what: 'This recommendation', retry: () => undefined }))
    expect(textOf(markup)).toBe('|This recommendation was not found|')
    expect(countOf(markup, 'button')).toBe(0)
  })

  test.each([1, 6, 20])('%i rows are loading: a screen reader announces it once', (rows) => {
    const markup = markupOf(createElement(Loading, { rows }))
    expect(attributesOf(markup, 'role')).toEqual(['status'])
    expect(attributesOf(markup, 'class').filter((each) => each === 'skeleton')).toHaveLength(3 * rows)
    for (const style of attributesOf(markup, 'style')) expect(Number.parseFloat(style.slice(6))).toBeGreaterThan(0)
  })

  test('a message has its reason and its actions only if there are any', () => {
    const bare = markupOf(createElement(Message, { icon: 'alert', title: 'Empty' }))
    expect(textOf(bare)).toBe('|Empty|')
    const whole = createElement(Message, { icon: 'alert', tone: 'ok', title: 'Empty', actions: 'Add' }, 'No cluster.')
    expect(textOf(markupOf(whole))).toBe('|Empty|No cluster.|Add|')
    expect(markupOf(whole)).toContain('tone-ok')
  })
})

describe('State, Tag, Note and Risk', () => {
  test.each(['ok', 'warn', 'danger', 'muted'] as const)('a state of tone %s has an icon and a word', (tone) => {
    const markup = markupOf(createElement(State, { tone, children: 'verified' }))
    expect(countOf(markup, 'svg')).toBe(1)
    expect(textOf(markup)).toContain('verified')
    expect(markup).toContain(`tone-${tone}`)
  })

  test.each([
    ['low', ['true', 'false', 'false']],
    ['medium', ['true', 'true', 'false']],
    ['high', ['true', 'true', 'true']],
  ] as const)('a %s risk lights the marks %j and has its label', (level, lit) => {
    const markup = markupOf(createElement(Risk, { level }))
    expect(attributesOf(markup, 'data-on')).toEqual([...lit])
    expect(textOf(markup)).toContain(level)
  })

  test('a tag without a tone has no colour', () => {
    expect(markupOf(createElement(Tag, { children: 'spot' }))).not.toContain('tone-')
    expect(markupOf(createElement(Tag, { tone: 'warn', title: 'Why', children: 'spot' }))).toMatch(
      /tone-warn.*title="Why"/,
    )
  })

  test('a note interrupts a screen reader only if it is an alert', () => {
    expect(attributesOf(markupOf(createElement(Note, { children: 'Saved' })), 'role')).toEqual([])
    expect(attributesOf(markupOf(createElement(Note, { role: 'alert', children: 'Lost' })), 'role')).toEqual(['alert'])
  })
})

describe('controls', () => {
  test('a choice marks exactly the chosen option', () => {
    const options = ['24h', '7d', '30d'].map((value) => ({ value, word: value }))
    const markup = markupOf(createElement(Segmented, { label: 'Window', value: '7d', options, onChange: vi.fn() }))
    expect(attributesOf(markup, 'aria-pressed')).toEqual(['false', 'true', 'false'])
    expect(attributesOf(markup, 'aria-label')).toEqual(['Window'])
  })

  test('options keep their order', () => {
    const of = [
      ['', 'All'],
      ['shop', 'shop'],
    ] as const
    expect(attributesOf(markupOf(createElement('select', null, createElement(Options, { of }))), 'value')).toEqual([
      '',
      'shop',
    ])
  })

  test('an error replaces the hint', () => {
    const input = createElement('input')
    const hinted = markupOf(createElement(Field, { label: 'Name', hint: 'As in kubectl', children: input }))
    expect(textOf(hinted)).toBe('|Name|As in kubectl|')
    const wrong = markupOf(
      createElement(Field, { label: 'Name', hint: 'As in kubectl', wrong: 'must not be empty', children: input }),
    )
    expect(textOf(wrong)).toBe('|Name|must not be empty|')
    expect(attributesOf(wrong, 'role')).toEqual(['alert'])
  })

  test.each([
    [undefined, 'false'],
    ['is taken', 'true'],
  ])('with the error %j the field is invalid: %s', (wrong, isInvalid) => {
    const markup = markupOf(createElement(TextField, { label: 'Name', value: 'prod', wrong, onChange: vi.fn() }))
    expect(attributesOf(markup, 'aria-invalid')).toEqual([isInvalid])
    expect(attributesOf(markup, 'value')).toEqual(['prod'])
  })
})

describe('Page and Section', () => {
  test('a page has one h1 and a skip target', () => {
    const markup = markupOf(createElement(Page, { title: 'Nodes', sub: 'prod', actions: 'Export', children: 'rows' }))
    expect(countOf(markup, 'h1')).toBe(1)
    expect(markup).toContain('id="main"')
    expect(textOf(markup)).toBe('|Nodes|prod|Export|rows|')
  })

  test('a section is labelled by its heading', () => {
    const markup = markupOf(createElement(Section, { title: 'History', children: 'rows' }))
    expect(attributesOf(markup, 'aria-labelledby')).toEqual(attributesOf(markup, 'id'))
    expect(countOf(markup, 'h2')).toBe(1)
  })
})
