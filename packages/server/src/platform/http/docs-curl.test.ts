import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import { send, useTestApp } from '../../../test/test-app.ts'
import type { OpenApi, Operation } from './openapi.ts'

const t = useTestApp()

let api: OpenApi
let page: string
let ajv: Ajv
beforeAll(async () => {
  page = (await send(t, { url: '/docs' })).body
  api = (await send(t, { url: '/openapi.json' })).json()
  ajv = formats.default(new Ajv({ strict: false })).addSchema({ $id: 'api', components: api.components })
})

type Schema = Record<string, unknown>

/** Whether a value matches a schema of the document. */
const isValid = (schema: Schema, value: unknown) => ajv.validate(withDocument(schema), value)

const withDocument = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as Schema

type Call = {
  method: string
  url: URL
  headers: Map<string, string>
  /** Files with further headers. */
  headerFiles: string[]
  data: string | undefined
  file: string | undefined
}

/** The call of a route, split into words like in a shell. */
function callOf({ operationId }: Operation): Call {
  const [, article = ''] = page.split(`<article id="${operationId}">`)
  const shown = /<pre>(curl [^<]*)<\/pre>\s*<\/article>/.exec(article)?.[1] ?? ''
  const words = wordsOf(unescaped(shown))
  const after = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []))
  const headers = after('-H')
    .filter((header) => !header.startsWith('@'))
    .map((header): [string, string] => {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(header) ?? []
      return [name.toLowerCase(), value]
    })
  const url = words.find((word) => word.startsWith('http')) ?? ''
  return {
    method: after('-X')[0] ?? 'GET',
    url: new URL(url),
    headers: new Map(headers),
    headerFiles: after('-H').filter((header) => header.startsWith('@')),
    data: after('-d')[0],
    file: after('--data-binary')[0],
  }
}

const unescaped = (text: string) =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

function wordsOf(command: string): string[] {
  const words = command.matchAll(/(?:'[^']*'|"[^"]*"|\\'|\\\n|[^\s'"\\])+/g)
  return [...words].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"|\\(')|\\\n/g, '$1$2$3'))
}

const operations = () =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** A placeholder cannot be validated. */
const isVariable = (value: string) => value.includes('$')

test('every route has an example call with its method and path', () => {
  expect(operations().length).toBeGreaterThan(50)
  for (const { path, method, operation } of operations()) {
    const call = callOf(operation)
    const template = path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`)
    expect([call.method, call.url.pathname]).toEqual([method, template])
  }
})

test('every call has the required query parameters and headers, with valid values', () => {
  for (const { operation } of operations()) {
    const { url, headers } = callOf(operation)
    for (const { name, in: place, required, schema } of operation.parameters) {
      if (place === 'path') continue
      const value = (place === 'query' ? url.searchParams.get(name) : headers.get(name.toLowerCase())) ?? undefined
      const where = `${operation.operationId} ${name}`
      expect([where, value !== undefined]).toEqual([where, required])
      if (value !== undefined && !isVariable(value)) expect([where, isValid(schema, value)]).toEqual([where, true])
    }
  }
})

test('every call of a route with a body sends one that its schema accepts', () => {
  for (const { operation } of operations()) {
    const { data, file, headers } = callOf(operation)
    const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
    expect([operation.operationId, headers.get('content-type')]).toEqual([operation.operationId, mediaType])
    if (content === undefined) expect([data, file]).toEqual([undefined, undefined])
    else if (file === undefined)
      expect([operation.operationId, isValid(content.schema, JSON.parse(data ?? ''))]).toEqual([
        operation.operationId,
        true,
      ])
    else expect(file).toMatch(/^@[a-z.]+$/)
  }
})

test('every call reads its credential from a file, never from its arguments', () => {
  for (const { operation } of operations()) {
    const { headers, headerFiles } = callOf(operation)
    const kinds = operation.security.flatMap((each) => Object.keys(each))
    const file = kinds.includes('agent_token') ? '@$AGENT_AUTH' : '@$AUTH'
    expect([operation.operationId, headerFiles]).toEqual([operation.operationId, kinds.length === 0 ? [] : [file]])
    expect(headers.has('authorization')).toBe(false)
  }
  expect(page).not.toContain('Bearer $')
})

test('every example in the document matches its schema', () => {
  let count = 0
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { examples } = value as { examples?: unknown }
    for (const example of Array.isArray(examples) ? (examples as unknown[]) : []) {
      count += 1
      expect([example, isValid(value as Schema, example)]).toEqual([example, true])
    }
    for (const [name, child] of Object.entries(value)) if (name !== 'examples') visit(child)
  }
  visit(api)
  expect(count).toBeGreaterThan(30)
})
