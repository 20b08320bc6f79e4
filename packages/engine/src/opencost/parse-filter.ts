import type { Parsed } from '../parsed.ts'
import { FILTER_FIELDS, isMapField, NO_FILTER, type Filter, type FilterField, type FilterOperator } from './filter.ts'

export const filterLengthMax = 4000
export const filterDepthMax = 20

/** `reason` describes the error for the caller. */
export type ParsedFilter = Parsed<Filter, string>

/**
 * Parses a filter of OpenCost, version 2: `namespace:"shop","web"+label[app]!~:"test"`. A comma means or, and for a
 * negated operator and. `+` means and, `|` means or; a mix of them needs parentheses.
 */
export function parseFilter(text: string): ParsedFilter {
  if (text.length > filterLengthMax) return invalid(`has at most ${filterLengthMax} characters`, '')
  const tokens = tokensOf(text)
  if (tokens.kind === 'invalid') return tokens
  const parser = new Parser(tokens.value)
  try {
    return { kind: 'ok', value: parser.parse() }
  } catch (error) {
    if (error instanceof SyntaxProblem) return invalid(error.message, text)
    throw error
  }
}

const invalid = (reason: string, text: string) => ({ kind: 'invalid' as const, reason, text })

/** Stays inside this file: the caller gets a result. */
class SyntaxProblem extends Error {}

type Token = { kind: 'sign' | 'operator' | 'text' | 'key' | 'word'; text: string; at: number }

/** The longest first: `!~>:` begins like `!~`. */
const operators: readonly [text: string, operator: FilterOperator, isNegated: boolean][] = [
  ['!<~:', 'prefix', true],
  ['!~>:', 'suffix', true],
  ['!~:', 'contains', true],
  ['<~:', 'prefix', false],
  ['~>:', 'suffix', false],
  ['!:', 'equals', true],
  ['~:', 'contains', false],
  [':', 'equals', false],
]

const blanks = ' \t\n\r'
const signs = '+|(),'

/** Reads each character once. */
function tokensOf(text: string): Parsed<Token[], string> {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const first = text.charAt(at)
    if (blanks.includes(first)) {
      at += 1
      continue
    }
    const token = tokenAt(text, at)
    if (typeof token === 'string') return invalid(`${token} at character ${at + 1}`, text.slice(at, at + 20))
    tokens.push(token)
    at += lengthOf(token)
  }
  return { kind: 'ok', value: tokens }
}

function tokenAt(text: string, at: number): Token | string {
  const first = text.charAt(at)
  if (signs.includes(first)) return { kind: 'sign', text: first, at }
  if (first === '"') return enclosed(text, at, '"')
  if (first === '[') return enclosed(text, at, ']')
  const [operator] = operators.find(([each]) => text.startsWith(each, at)) ?? []
  if (operator !== undefined) return { kind: 'operator', text: operator, at }
  let end = at
  while (end < text.length && isWordCharacter(text.charAt(end))) end += 1
  return end === at ? `'${first}' is not expected` : { kind: 'word', text: text.slice(at, end), at }
}

const isWordCharacter = (character: string) => /^[A-Za-z0-9_-]$/.test(character)

function enclosed(text: string, at: number, close: '"' | ']'): Token | string {
  const end = text.indexOf(close, at + 1)
  if (end === -1) return close === '"' ? 'a text without a closing quotation mark' : 'a key without `]`'
  return { kind: close === '"' ? 'text' : 'key', text: text.slice(at + 1, end), at }
}

/** Texts and keys have two more characters around them. */
const lengthOf = ({ kind, text }: Token) => text.length + (kind === 'text' || kind === 'key' ? 2 : 0)

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Filter {
    if (this.#tokens.length === 0) return NO_FILTER
    const filter = this.#group(1)
    if (this.#peek() !== undefined) throw this.#unexpected('`+`, `|` or the end')
    return filter
  }

  #group(depth: number): Filter {
    if (depth > filterDepthMax) throw new SyntaxProblem(`parentheses are nested at most ${filterDepthMax} deep`)
    const parts = [this.#part(depth)]
    const sign = this.#peek()?.text
    if (this.#peek()?.kind !== 'sign' || (sign !== '+' && sign !== '|')) return parts[0] ?? NO_FILTER
    while (this.#accept('sign', sign)) parts.push(this.#part(depth))
    const other = sign === '+' ? '|' : '+'
    if (this.#peek()?.kind === 'sign' && this.#peek()?.text === other)
      throw new SyntaxProblem('`+` and `|` in one group need parentheses')
    return { kind: sign === '+' ? 'and' : 'or', parts }
  }

  #part(depth: number): Filter {
    if (!this.#accept('sign', '(')) return this.#comparison()
    const inner = this.#group(depth + 1)
    if (!this.#accept('sign', ')')) throw this.#unexpected('`)`')
    return inner
  }

  #comparison(): Filter {
    const field = this.#field()
    const key = isMapField(field) ? (this.#accept('key')?.text ?? null) : null
    const token = this.#accept('operator')
    const [, operator, isNegated] = operators.find(([text]) => text === token?.text) ?? []
    if (operator === undefined || isNegated === undefined) throw this.#unexpected('an operator such as `:`')
    const values = [this.#value()]
    while (this.#accept('sign', ',')) values.push(this.#value())
    // A list of services, and keys without a value, contain a text or not.
    const isOfList = field === 'services' || (isMapField(field) && key === null)
    const asked = isOfList && operator === 'equals' ? 'contains' : operator
    return { kind: 'comparison', field, key, operator: asked, isNegated, values }
  }

  #field(): FilterField {
    const token = this.#accept('word')
    const field = FILTER_FIELDS.find((each) => each === token?.text)
    if (field !== undefined) return field
    if (token === undefined) throw this.#unexpected('a field')
    throw new SyntaxProblem(`'${token.text.slice(0, 80)}' is not a field; use ${FILTER_FIELDS.join(', ')}`)
  }

  #value(): string {
    const token = this.#accept('text')
    if (token === undefined) throw this.#unexpected('a value in quotation marks')
    return token.text
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next]
  }

  #accept(kind: Token['kind'], text?: string): Token | undefined {
    const token = this.#peek()
    if (token?.kind !== kind || (text !== undefined && token.text !== text)) return undefined
    this.#next += 1
    return token
  }

  #unexpected(expected: string): SyntaxProblem {
    const token = this.#peek()
    const where = token === undefined ? 'at the end' : `at character ${token.at + 1}`
    return new SyntaxProblem(`${expected} is missing ${where}`)
  }
}
