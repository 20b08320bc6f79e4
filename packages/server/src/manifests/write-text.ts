import type { ManifestFile } from '@plimsoll/engine/manifests'
import { Document, Schema, type ScalarTag, type Tags } from 'yaml'

/** The bytes of a file. The only code that serializes JSON and YAML. */
export function writeText({ syntax, comment, content }: Pick<ManifestFile, 'syntax' | 'comment' | 'content'>): string {
  return syntax === 'json' ? `${JSON.stringify(content, null, 2)}\n` : writeYaml(content, comment)
}

/**
 * YAML 1.1 parsers are common in Kubernetes: text that one of them would read as a number, a time or a boolean is
 * quoted, and so is any quantity.
 */
export function writeYaml(value: unknown, comment: readonly string[] = []): string {
  const document = new Document(value, { version: '1.1', schema, aliasDuplicateObjects: false })
  if (comment.length > 0) document.commentBefore = comment.map((line) => ` ${line}`).join('\n')
  return document.toString({ lineWidth: 0, directives: false })
}

/** Created once, because one answer has hundreds of files. */
const schema = new Schema({ schema: 'yaml-1.1', customTags: (tags) => tags.filter(isOfJson).map(withQuotes) })

/**
 * Only maps, lists, text, numbers and booleans are written. Other tags are dropped, because each tag checks each word.
 */
function isOfJson(tag: Tags[number]): boolean {
  return typeof tag === 'string' || (/:(?:map|seq|str|null|bool|int|float)$/.test(tag.tag) && !tag.format)
}

function withQuotes(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:str') return tag
  const { stringify } = tag as ScalarTag
  const quoting: ScalarTag = {
    ...(tag as ScalarTag),
    stringify: (item, ...more) => {
      const text = String(item.value)
      if (isWord(text)) return text
      if (isDoubtful(text)) item.type = 'QUOTE_DOUBLE'
      return stringify?.(item, ...more) ?? ''
    },
  }
  return quoting
}

/** Plain words need no further check: most names and keys are such. */
const isWord = (text: string) =>
  /^[a-z][-a-z0-9_./]*$/i.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null|e-?\d+)$/i.test(text)

/** Text that starts like a number, and words with a meaning in YAML 1.1 or 1.2. */
const isDoubtful = (text: string) =>
  text === '' ||
  /^[-+.]*(?:\d|e[-+]?\d+$)/i.test(text) ||
  /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<|\.inf|\.nan)$/i.test(text)

/** All files as one text: a single file itself, else a stream of documents. */
export function writeStream(files: readonly { path: string; content: string }[]): string {
  const [first] = files
  if (files.length <= 1) return first?.content ?? ''
  return files.map(({ path, content }) => `---\n# ${path}\n${content}`).join('')
}
