import { Document, visit, type Scalar } from 'yaml'

/**
 * Block style, two blanks a level. Documents of words and quantities, as nearly all are, are laid out here: a tree of nodes for
 * each of hundreds takes most of the time of an answer. The library writes all others, and a test compares the two.
 */
export function writeYaml(value: unknown, comment: readonly string[] = []): string {
  if (!isFilled(value) || !isUsual(value)) return byLibrary(value, comment)
  const head = comment.length === 0 ? '' : `${comment.map((line) => `# ${line}\n`).join('')}\n`
  return `${head}${collection(value, '')}\n`
}

type Filled = readonly unknown[] | Readonly<Record<string, unknown>>

const isFilled = (value: unknown): value is Filled =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const isWord = (text: string) => /^[A-Za-z/][A-Za-z0-9_./-]*$/.test(text) && !isDoubtful(text)

const isQuantity = (text: string) => /^\d[A-Za-z0-9.]*$/.test(text)

function isUsual(value: unknown): boolean {
  if (typeof value === 'string') return isWord(value) || isQuantity(value)
  if (Array.isArray(value)) return value.every(isUsual)
  if (typeof value !== 'object' || value === null) return value === null || Number.isSafeInteger(value)
  return Object.entries(value).every(([key, each]) => isWord(key) && isUsual(each))
}

/** Without the indent of its first line, which whoever holds it has begun. */
function collection(value: Filled, indent: string): string {
  const deeper = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((each: unknown) => `- ${isFilled(each) ? collection(each, deeper) : leaf(each)}`)
    : Object.entries(value).map(
        ([key, each]) => `${key}:${isFilled(each) ? `\n${deeper}${collection(each, deeper)}` : ` ${leaf(each)}`}`,
      )
  return entries.join(`\n${indent}`)
}

function leaf(value: unknown): string {
  if (typeof value === 'string') return isWord(value) ? value : `"${value}"`
  return JSON.stringify(value)
}

/**
 * Readers of YAML 1.1 are still everywhere in Kubernetes: text that one of them would take for a number, a time or a truth is
 * quoted, and so is whatever is a quantity.
 */
export function byLibrary(value: unknown, comment: readonly string[] = []): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_key, node: Scalar) => {
      if (typeof node.value === 'string' && isDoubtful(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  if (comment.length > 0) document.commentBefore = comment.map((line) => ` ${line}`).join('\n')
  return document.toString({ lineWidth: 0, directives: false })
}

/** Anything that begins like a number, and the words that YAML 1.1 or 1.2 gives a meaning. */
const isDoubtful = (text: string) =>
  text === '' || /^[-+.]?\d/.test(text) || /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<|\.inf|\.nan)$/i.test(text)
