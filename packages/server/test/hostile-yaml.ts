/** The maximum length of a request. */
const charsMax = 200_000

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('')

/** Each level contains the previous level nine times. */
const bomb = `a0: &a0 [x]\n${lines(9, (index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]\n`)}`

/** Documents that cost a naive parser seconds or all memory, and the code of the error; null: a normal response. */
export const hostileDocuments: Record<string, { text: string; code: string | null }> = {
  '100,000 keys in a flow map': { text: `{${'a,'.repeat(100_000 - 1)}}`, code: 'too_many_nodes' },
  'as many different keys as fit': { text: lines(20_000, (index) => `k${index}: 1\n`), code: null },
  'many duplicate keys': { text: lines(20_000, (index) => `k${index % 10_000}: 1\n`), code: 'duplicate_key' },
  'a deep flow sequence': { text: '['.repeat(charsMax), code: 'too_deep' },
  'a deep block map': { text: lines(600, (index) => `${' '.repeat(index)}k:\n`), code: 'too_deep' },
  'deep flow maps': { text: `${'{a: '.repeat(40_000)}1${'}'.repeat(40_000)}`, code: 'too_deep' },
  'an alias bomb': { text: bomb, code: 'too_many_aliases' },
  'thousands of aliases': { text: `a: &a 1\nb: [${'*a,'.repeat(20_000)}]`, code: 'too_many_aliases' },
  'a long plain scalar': { text: `a: ${'x'.repeat(charsMax - 10)}`, code: null },
  'a long quoted scalar of escapes': { text: `a: "${'\\n'.repeat(charsMax / 2 - 10)}"`, code: null },
  'a long block scalar': { text: `a: |\n${' x\n'.repeat(60_000)}`, code: null },
  'thousands of documents': { text: 'a: 1\n---\n'.repeat(20_000), code: 'too_many_nodes' },
  'a map as a key': { text: '? {a: 1}\n: 2\n', code: 'unreadable' },
  'a value that holds itself': { text: 'a: &a {b: *a}', code: 'unreadable' },
  'only comments': { text: '# x\n'.repeat(50_000), code: null },
  'only line ends': { text: '\n'.repeat(charsMax), code: null },
}
