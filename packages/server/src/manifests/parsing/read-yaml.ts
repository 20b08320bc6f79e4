import { Composer, CST, isCollection, isMap, isScalar, Lexer, Parser, type Document, type YAMLMap } from 'yaml'

/** Far above a rendering of the permitted length, far below a slow input. */
const yamlLimits = { nodes: 50_000, depth: 100, aliases: 100 }

type YamlRefusalCode = 'unreadable' | 'too_many_nodes' | 'too_deep' | 'too_many_aliases' | 'duplicate_key'

export type YamlRead =
  { kind: 'documents'; documents: unknown[] } | { kind: 'refused'; code: YamlRefusalCode; detail: string }

class Refusal extends Error {
  readonly code: YamlRefusalCode

  constructor(code: YamlRefusalCode, detail: string) {
    super(detail)
    this.code = code
  }
}

/** The documents of a YAML 1.1 stream as plain values. Nodes are counted before anything is built from them. */
export function readYaml(text: string): YamlRead {
  try {
    countTokens(text)
    const tokens = [...new Parser().parse(text)]
    measureDepth(tokens)
    // The duplicate check of the library compares each key with all keys before it.
    const documents = [...new Composer({ version: '1.1', uniqueKeys: false }).compose(tokens)]
    for (const document of documents) {
      if (document.errors.length > 0) throw new Refusal('unreadable', 'is not YAML')
      refuseDuplicateKeys(document)
    }
    return { kind: 'documents', documents: documents.map(valueOf) }
  } catch (error) {
    return { kind: 'refused', ...reasonOf(error) }
  }
}

function reasonOf(error: unknown): { code: YamlRefusalCode; detail: string } {
  if (error instanceof Refusal) return { code: error.code, detail: error.message }
  if (error instanceof RangeError) return tooDeep
  return { code: 'unreadable', detail: 'is not YAML' }
}

const tooDeep = { code: 'too_deep', detail: `is nested more than ${yamlLimits.depth} levels deep` } as const

/** Before anything is built: the lexer returns one token at a time and retains none. */
function countTokens(text: string): void {
  let [nodes, aliases, depth] = [0, 0, 0]
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme)
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth += 1
    if (type === 'flow-map-end' || type === 'flow-seq-end') depth -= 1
    if (type !== null && nodeTypes.has(type)) nodes += 1
    if (type === 'alias') aliases += 1
    if (depth > yamlLimits.depth) throw new Refusal(tooDeep.code, tooDeep.detail)
    if (nodes > yamlLimits.nodes) {
      throw new Refusal('too_many_nodes', `has more than ${yamlLimits.nodes} keys and values`)
    }
    if (aliases > yamlLimits.aliases) {
      throw new Refusal('too_many_aliases', `has more than ${yamlLimits.aliases} aliases`)
    }
  }
}

/** Tokens that become a key, a value or a document. */
const nodeTypes: ReadonlySet<string> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'block-scalar-header',
  'alias',
  'flow-map-start',
  'flow-seq-start',
  'seq-item-ind',
  'doc-start',
])

/** Without recursion: block collections may be nested as deep as the text is long. */
function measureDepth(tokens: readonly CST.Token[]): void {
  const open = tokens.map((token) => ({ token, depth: 0 }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next
    if (depth > yamlLimits.depth) throw new Refusal(tooDeep.code, tooDeep.detail)
    for (const child of childrenOf(token)) open.push({ token: child, depth: depth + 1 })
  }
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null))
}

/** One set of keys for each map, so the work grows with the number of keys. */
function refuseDuplicateKeys(document: Document): void {
  const open: unknown[] = [document.contents]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isMap(node)) demandUniqueKeys(node)
    if (!isCollection(node)) continue
    for (const item of node.items) {
      const { key, value } = item as { key?: unknown; value?: unknown }
      open.push(...(isMap(node) ? [key, value] : [item]).filter((child) => child != null))
    }
  }
}

function demandUniqueKeys({ items }: YAMLMap): void {
  const keys = new Set<string>()
  for (const { key } of items) {
    if (!isScalar(key)) throw new Refusal('unreadable', 'has a key that is not plain text')
    // A merge key, of which one map may have two.
    if (typeof key.value === 'symbol') continue
    const name = String(key.value)
    if (keys.has(name)) {
      throw new Refusal('duplicate_key', `has the key ${JSON.stringify(name.slice(0, 80))} twice in one map`)
    }
    keys.add(name)
  }
}

/**
 * As JSON, which rejects a circular value. Few expansions are enough for any chart, and too few for an expansion
 * attack.
 */
function valueOf(document: Document): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: yamlLimits.aliases }) ?? null))
  } catch (error) {
    if (error instanceof ReferenceError) {
      throw new Refusal('too_many_aliases', `has aliases that expand more than ${yamlLimits.aliases} times`)
    }
    throw error
  }
}
