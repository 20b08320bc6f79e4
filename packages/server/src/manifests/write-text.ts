import type { ManifestFile } from '@plimsoll/engine'
import { writeYaml } from './write-yaml.ts'

/** A file's bytes. The only place that knows which syntax is written how. */
export function writeText({ syntax, comment, content }: Pick<ManifestFile, 'syntax' | 'comment' | 'content'>): string {
  return syntax === 'json' ? `${JSON.stringify(content, null, 2)}\n` : writeYaml(content, comment)
}

/** All files as one text: the file itself where there is one, else a stream of documents. */
export function writeStream(files: readonly { path: string; content: string }[]): string {
  const [first] = files
  if (files.length <= 1) return first?.content ?? ''
  return files.map(({ path, content }) => `---\n# ${path}\n${content}`).join('')
}
