import { hasOverlay } from './component-steps.ts'
import { helmWords, hintOf } from './helm-steps.ts'
import { overlayOf } from './kustomize.ts'
import { templatePathOf, type ObjectPatch } from './object-patch.ts'
import { jsonPathOf } from './pointers.ts'
import { shellWord } from './safe-text.ts'
import { namespaceFlag, resourceWord, type WrittenIndex } from './written-index.ts'

export type VerifyStep = {
  readonly tool: 'kubectl' | 'kubectl-local' | 'kustomize' | 'helm'
  readonly clusterId: string
  readonly description: string
  readonly command: string
  readonly expect: 'yes'
}

/**
 * Commands that say yes when the change is there exactly once. A kustomization whose target matches nothing builds without
 * a word, and so does a chart that does not know a value: only looking at what comes out tells.
 */
export function verifyStepsOf(written: WrittenIndex): VerifyStep[] {
  return written.patches.flatMap((patch) => stepsOf(written, patch))
}

/** Prints parts of manifests without a cluster: the patch is empty. */
const offline = `kubectl patch --local -f - --type=merge -p '{}' -o jsonpath=`

function stepsOf(written: WrittenIndex, patch: ObjectPatch): VerifyStep[] {
  const { target } = patch
  const { template, line } = expectationOf(patch)
  const clusterId = target.clusterId
  const say = (tool: VerifyStep['tool'], description: string, source: string): VerifyStep => ({
    tool,
    clusterId,
    description,
    command: `test "$(${source} | grep -cxF ${shellWord(line)})" = 1 && echo yes`,
    expect: 'yes',
  })
  const read = `${offline}${shellWord(template)}`
  const live = say(
    'kubectl',
    `In the cluster.${written.contextHintOf(patch)}`,
    `kubectl${written.contextOf(patch)} get ${resourceWord(target)} ${shellWord(target.name)}${namespaceFlag(target)} -o jsonpath=${shellWord(template)}`,
  )
  if (written.format === 'kustomize') {
    const directory = hasOverlay(written, [patch]) ? shellWord(overlayOf(patch)) : '.'
    const own = written.isFleet ? `the directory of cluster ${patch.clusterName}` : 'the directory that you are in'
    const where = directory === '.' ? `In what ${own} builds.` : 'In what the overlay builds.'
    return [say('kustomize', where, `kubectl kustomize ${directory} | ${read}`), live]
  }
  if (written.format !== 'helm')
    return [say('kubectl-local', 'In the manifest FILE of your checkout.', `${read} < "$FILE"`), live]
  const { release, chart } = helmWords(written, patch)
  const file = written.fileOf(patch)
  if (!file || file.pathSource === 'none') return [live]
  const rendered = `helm template ${release} ${chart}${namespaceFlag(target)} -f ${shellWord(file.path)}`
  const where = `In what the chart renders; give your own values before.${hintOf(written, patch)}`
  return [say('helm', where, `${rendered} | ${read}`), live]
}

/** What to print of an object, and what it prints when all is as it should be. */
function expectationOf(patch: ObjectPatch): { template: string; line: string } {
  const { target, containers, fields } = patch
  const template = templatePathOf(target) ?? []
  const quantities = containers.flatMap(({ container, changes }) => {
    const list = jsonPathOf([...template, container.list])
    const one = container.name === '' ? `[${container.index}]` : `[?(@.name==${JSON.stringify(container.name)})]`
    return changes.map(({ section, resource, to }) => ({
      path: `${list}${one}${jsonPathOf(['resources', section, resource])}`,
      value: to ?? '',
    }))
  })
  const others = fields.map(({ path, to }) => ({ path: jsonPathOf(path), value: String(to) }))
  const all = [...quantities, ...others]
  return {
    template: `{.kind} {.metadata.name}${all.map(({ path }) => `|{${path}}`).join('')}{"\\n"}`,
    line: `${target.kind} ${target.name}${all.map(({ value }) => `|${value}`).join('')}`,
  }
}
