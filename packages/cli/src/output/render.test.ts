import { expect, test } from 'vitest'
import { count, share, text, usd } from './cells.ts'
import { tableOf, type Presentation } from './presentation.ts'
import { outputFormats, render } from './render.ts'

type Row = { name: string | null; cost: number | null; pods: number }

const presented = (rows: readonly Row[]): Presentation => ({
  facts: [
    ['Total', usd(1234.5)],
    ['Efficiency', share(0.256)],
  ],
  table: tableOf(rows, [
    ['name', ({ name }) => text(name)],
    ['cost', ({ cost }) => usd(cost)],
    ['pods', ({ pods }) => count(pods)],
  ]),
})

const rows = [
  { name: 'web, "old"', cost: 12.345, pods: 1200 },
  { name: null, cost: null, pods: 2 },
]

test('a table aligns numbers at the right, and an unknown value is not 0', async () => {
  expect(await render('table', {}, () => presented(rows))).toBe(
    [
      'Total:      $1,234.50',
      'Efficiency: 25.6%',
      '',
      'NAME           COST    PODS',
      'web, "old"   $12.35   1,200',
      '-                 -       2',
      '',
    ].join('\n'),
  )
})

test('CSV has unformatted numbers, and an unknown value is empty', async () => {
  expect(await render('csv', {}, () => presented(rows))).toBe('name,cost,pods\r\n"web, ""old""",12.345,1200\r\n,,2\r\n')
})

test('CSV without a table lists the single figures', async () => {
  expect(await render('csv', {}, () => ({ facts: [['Total', usd(2)]] }))).toBe('name,value\r\nTotal,2\r\n')
})

test.each(['=1+1', '+1', '-1', '@sum', '\t=1'])('CSV keeps %j from becoming a formula', async (name) => {
  const output = await render('csv', {}, () => presented([{ name, cost: -1, pods: 0 }]))
  expect(output).toBe(`name,cost,pods\r\n'${name},-1,0\r\n`)
})

test.each(['table', 'markdown'] as const)('control characters of a name do not reach a %s', async (format) => {
  const name = 'a\u001b[31mb\u202Ec\nd'
  const output = await render(format, {}, () => presented([{ name, cost: 1, pods: 1 }]))
  expect(output.replaceAll('\n', '')).toMatch(/^[ -~]*$/)
})

test('Markdown escapes the characters of names', async () => {
  const output = await render('markdown', {}, () => presented([{ name: 'a|b_c', cost: 1, pods: 1 }]))
  expect(output).toContain('| a\\|b\\_c | $1.00 | 1 |')
})

test('JSON and YAML contain the response unchanged', async () => {
  const answer = { total: 1.005, name: 'a\u001b' }
  expect(JSON.parse(await render('json', answer, () => ({})))).toEqual(answer)
  expect(await render('yaml', { total: 1.005 }, () => ({}))).toBe('total: 1.005\n')
})

test.each(outputFormats)('an empty list is valid in %s', async (format) => {
  expect(await render(format, [], () => ({ table: presented([]).table as never }))).not.toBe('')
})
