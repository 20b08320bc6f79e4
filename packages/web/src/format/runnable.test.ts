import type { ManifestResult } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { copiedWords, runnableOf } from './runnable.ts'

const aFile = { path: 'a.yaml' } as ManifestResult['files'][number]
const someCommands: ManifestResult['commands'] = [
  {
    recommendation_id: 'rec_1',
    cluster_id: 'cls_1',
    steps: [
      { title: 'Stop scheduling', commands: ['kubectl cordon a'], note: '' },
      { title: 'Move the pods', commands: ['kubectl drain a', 'kubectl get nodes'], note: 'Budgets\nare respected.' },
    ],
  },
]

test.each([
  ['a manifest', { files: [aFile], commands: [], node_removals: [] }, 'Next, commit the manifest to Git.', true],
  ['commands', { files: [], commands: someCommands, node_removals: [] }, 'Next, run the commands.', false],
  [
    'both',
    { files: [aFile], commands: someCommands, node_removals: [] },
    'Next, commit the manifest to Git and run the commands.',
    true,
  ],
  ['nothing', { files: [], commands: [], node_removals: [] }, '', false],
])('an approval offers %s only if it exists', (_what, result, next, hasManifest) => {
  const runnable = runnableOf(result)
  expect([runnable.next, runnable.hasManifest]).toEqual([next, hasManifest])
  expect(runnable.script === null).toBe(result.commands.length === 0)
})

test('the nodes of a step are removed last, and only after the rollout', () => {
  const removal = {
    cluster_id: 'cls_1',
    pool: 'general',
    nodes: ['a'],
    steps: [{ title: 'Remove the nodes', commands: ['kubectl delete node a'], note: '' }],
  }
  const { next, script } = runnableOf({ files: [aFile], commands: someCommands, node_removals: [removal] })
  expect(next).toBe('Next, commit the manifest to Git, run the commands and remove the nodes after the rollout.')
  expect(script).toMatch(
    /kubectl drain a[^]*only after the changes of this step are rolled out[^]*kubectl delete node a$/,
  )
})

test('copied commands are a script with titles and notes as comments of one line', () => {
  expect(runnableOf({ files: [], commands: someCommands, node_removals: [] }).script).toBe(
    '# Run one step at a time. Read the note of a step before you run it. Stop if a command fails.\n\n# Stop scheduling\nkubectl cordon a\n\n# Move the pods\n# Budgets are respected.\nkubectl drain a\nkubectl get nodes',
  )
})

test('says so if the copied commands do not cover all changes of a step', () => {
  expect(copiedWords(500, 620)).toBe(
    'Copied the commands of the first 500 of 620 changes. Run them first. After the next analysis, copy the remaining commands.',
  )
  expect(copiedWords(3, 3)).toBe('Commands copied. Run one step at a time.')
})
