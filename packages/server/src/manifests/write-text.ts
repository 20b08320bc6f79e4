import type { ManifestFile } from '@plimsoll/engine/manifests'
import { Document, Schema, type ScalarTag, type Tags } from 'yaml'

/** A file's bytes. The only place that knows how JSON and YAML are written. */
export function writeText({ syntax, comment, content }: Pick<ManifestFile, 'syntax' | 'comment' | 'content'>): string {
  return syntax === 'json' ? `${JSON.stringify(content, null, 2)}\n` : writeYaml(content, comment)
}

/**
 * Readers of YAML 1.1 are still everywhere in Kubernetes: text that one of them would take for a number, a time or a truth is
 * quoted, and so is whatever is a quantity.
 */
export function writeYaml(value: unknown, comment: readonly string[] = []): string {
  const document = new Document(value, { version: '1.1', schema, aliasDuplicateObjects: false })
  if (comment.length > 0) document.commentBefore = comment.map((line) => ` ${line}`).join('\n')
  return document.toString({ lineWidth: 0, directives: false })
}

/** Made once; hundreds of files are written for one answer. */
const schema = new Schema({ schema: 'yaml-1.1', customTags: (tags) => tags.filter(isOfJson).map(withQuotes) })

/** What is written has maps, lists, text, numbers, truths and nothing else; each tag is asked about each word. */
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

/** Nothing in it means anything to a reader of YAML, so there is nothing to find out: most names and keys are such. */
const isWord = (text: string) =>
  /^[a-z][-a-z0-9_./]*$/i.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null|e-?\d+)$/i.test(text)

/** Anything that begins like a number, and the words that YAML 1.1 or 1.2 gives a meaning. */
const isDoubtful = (text: string) =>
  text === '' ||
  /^[-+.]*(?:\d|e[-+]?\d+$)/i.test(text) ||
  /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<|\.inf|\.nan)$/i.test(text)

/** All files as one text: the file itself where there is one, else a stream of documents. */
export function writeStream(files: readonly { path: string; content: string }[]): string {
  const [first] = files
  if (files.length <= 1) return first?.content ?? ''
  return files.map(({ path, content }) => `---\n# ${path}\n${content}`).join('')
}
