import type { ManifestResult } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { writeNotes } from './write-notes.ts'

const nothing: ManifestResult = {
  ...{
    format: 'yaml',
    manifest: '',
    files: [],
    apply: [],
    verify: [],
    skipped: [],
    node_removals: [],
    warnings: [],
    pull_request: null,
  },
  commands: [],
}
const step = { tool: 'kubectl', cluster_id: 'cls_1', description: 'Applies it.', lines: null }

test('a command cannot end its code block', () => {
  const command = 'echo "```\n# not a title"'
  const { content } = writeNotes({ ...nothing, apply: [{ ...step, command }] })
  expect(content).toContain(`\n\`\`\`\`sh\n${command}\n\`\`\`\`\n`)
})

test('foreign names are plain text on one line', () => {
  const message = '<img src=x>\n# a title'
  const { content } = writeNotes({ ...nothing, warnings: [{ code: 'x', message, recommendation_ids: [] }] })
  expect(content).toContain(String.raw`- \<img src=x\> \# a title`)
})

test('the commands of skipped recommendations are in the notes', () => {
  const steps = [{ title: 'Stop scheduling on the nodes', commands: ['kubectl cordon a'], note: 'It can be reverted.' }]
  const { content } = writeNotes({ ...nothing, commands: [{ recommendation_id: 'r', cluster_id: 'c', steps }] })
  expect(content).toContain('Stop scheduling on the nodes. It can be reverted.\n\n```sh\nkubectl cordon a\n```')
})

test('an empty section has no title', () => {
  expect(writeNotes(nothing).content).not.toContain('##')
})
