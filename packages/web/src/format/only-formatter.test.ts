import { expect, test } from 'vitest'

const all = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })

/** Only these files format text for readers. Charts round coordinates, which are not text. */
const sources = Object.entries(all).filter(([file]) => !/^\.\/|^\.\.\/charts\/|\.test\.ts$/.test(file))

const linesWith = (pattern: RegExp) =>
  sources.flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )

test('only format/ rounds figures', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(linesWith(/\.toFixed\(|\.toPrecision\(|\.toLocaleString\(|Intl\.NumberFormat|Math\.round\(/)).toEqual([])
})

test('only format/ formats sizes, with one spelling for each unit', () => {
  expect(linesWith(/\}\s?(?:[KMGT]iB?|[kKMGT]B|vCPU|cores?|millicores|m)\b/)).toEqual([])
  expect(linesWith(/\b(?:[KMGT]i|[kKMGT]B)\b/)).toEqual([])
})
