import { createElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../test/markup.ts'
import { ShowAll, Table, type Column } from './table.tsx'
import { nextSort } from './use-table-sort.ts'

type Row = { id: string; usd: number }

const columns: Column<Row>[] = [
  { header: 'Name', cell: ({ id }) => id },
  { header: 'Cost', cell: ({ usd }) => `$${usd}`, align: 'end' },
  { header: createElement('b', null, 'Rank'), cell: (_row, index) => index + 1, className: 'rank' },
]
const rows: Row[] = [
  { id: 'web', usd: 5 },
  { id: '<img src=x>', usd: 3 },
]

const render = (more: Partial<Parameters<typeof Table<Row>>[0]> = {}) =>
  markupOf(createElement(Table<Row>, { label: 'Workloads', columns, rows, rowKey: ({ id }) => id, ...more }))

describe('Table', () => {
  test('shows the rows in their order, with one cell for each column', () => {
    const markup = render()
    expect(countOf(markup, 'tr')).toBe(1 + rows.length)
    expect(countOf(markup, 'td')).toBe(rows.length * columns.length)
    expect(textOf(markup)).toBe('|Name|Cost|Rank|web|$5|1|&lt;img src=x&gt;|$3|2|')
  })

  test('is a labelled region that the keyboard can reach', () => {
    const markup = render()
    expect(markup).toContain('role="region"')
    expect(attributesOf(markup, 'aria-label')).toEqual(['Workloads'])
    expect(attributesOf(markup, 'tabindex')).toEqual(['0'])
  })

  test('each heading labels its column, also in the stacked form', () => {
    const markup = render()
    expect(attributesOf(markup, 'scope')).toEqual(['col', 'col', 'col'])
    // A heading that is not text cannot be repeated in a cell.
    expect(attributesOf(markup, 'data-heading')).toEqual(['Name', 'Cost', 'Name', 'Cost'])
  })

  test('aligns amounts to the right, in the heading and in the cells', () => {
    expect(attributesOf(render(), 'class').filter((each) => each.trim() === 'num')).toHaveLength(1 + rows.length)
  })

  test('an alarming row stands out more than a chosen row', () => {
    const markup = render({ isAlarming: ({ usd }) => usd === 5, isChosen: () => true })
    expect(attributesOf(markup, 'class').filter((each) => each.startsWith('row-'))).toEqual([
      'row-danger',
      'row-chosen',
    ])
  })

  test('has a footer only if the page gives one', () => {
    expect(countOf(render(), 'tfoot')).toBe(0)
    const footer = createElement('tr', null, createElement('td', null, 'Total $8'))
    expect(textOf(render({ footer }))).toContain('|Total $8|')
  })

  test('each heading is a button that sorts, except one without an order', () => {
    expect(countOf(render(), 'button')).toBe(columns.length)
    const actions = { header: createElement('span', { className: 'sr-only' }, 'Actions'), cell: () => null }
    expect(countOf(render({ columns: [...columns, actions] }), 'button')).toBe(columns.length)
  })

  test('shows the order that the page gives', () => {
    const markup = render({ order: { sort: { column: 1, isDescending: true }, onSort: vi.fn() } })
    expect(attributesOf(markup, 'aria-sort')).toEqual(['none', 'descending', 'none'])
    expect(textOf(markup)).toContain('|Cost| ↓|')
  })

  test('without rows it shows its headings', () => {
    const markup = render({ rows: [] })
    expect(countOf(markup, 'th')).toBe(columns.length)
    expect(countOf(markup, 'td')).toBe(0)
  })
})

describe('ShowAll', () => {
  test.each([
    [10, 12, true],
    [12, 12, false],
    [0, 0, false],
    [13, 12, false],
  ])('with %i of %i rows shown, the button is visible: %s', (shown, all, isThere) => {
    const markup = markupOf(createElement(ShowAll, { shown, all, onShow: vi.fn() }))
    expect(countOf(markup, 'button')).toBe(isThere ? 1 : 0)
    if (isThere) expect(textOf(markup)).toContain(String(all))
  })
})

test('an amount is sorted from the largest, a name from the first, and the third click restores the order', () => {
  const amount = nextSort(null, 1, true)
  expect(amount).toEqual({ column: 1, isDescending: true })
  expect(nextSort(amount, 1, true)).toEqual({ column: 1, isDescending: false })
  expect(nextSort({ column: 1, isDescending: false }, 1, true)).toBeNull()
  expect(nextSort(amount, 0, false)).toEqual({ column: 0, isDescending: false })
})
