import { anyOf, failWith, namespacesOf, offline } from './checkout-file.ts'
import { hasOverlay } from './component-steps.ts'
import type { HelmWordsOf } from './helm-words.ts'
import { overlayOf } from './kustomize.ts'
import { describeTarget, templatePathOf, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { jsonPathOf } from './pointers.ts'
import { shellWord } from './safe-text.ts'
import { askFirst, guarded } from './shell-variables.ts'
import { namespaceFlag, objectWords, type WrittenIndex } from './written-index.ts'

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
export function verifyStepsOf(written: WrittenIndex, helmWords: HelmWordsOf | null): VerifyStep[] {
  return written.patches.flatMap((patch) => stepsOf(written, patch, helmWords))
}

function stepsOf(written: WrittenIndex, patch: ObjectPatch, helmWords: HelmWordsOf | null): VerifyStep[] {
  const { target } = patch
  const { template, line } = expectationOf(patch)
  const jsonPath = `-o jsonpath=${shellWord(template)}`
  const object = `${describeTarget(target)}${written.ofCluster(patch)}`
  const say = (tool: VerifyStep['tool'], where: string, source: Source): VerifyStep => {
    const { filter, expected } = soughtIn(source, line, target)
    const no = failWith(shellWord(`No: ${object} ${where} does not have the change, or is there twice.`))
    return {
      tool,
      clusterId: target.clusterId,
      description: `${object} ${where}.${source.hint ?? ''}`,
      command: `${askFirst(source.needs)}case "$(${source.command} | ${filter})" in ${expected}) echo yes;; *) ${no};; esac`,
      expect: 'yes',
    }
  }
  const read = `${offline} ${jsonPath}`
  const live = say('kubectl', 'as it runs', {
    command: `kubectl${written.contextOf(patch)} get ${objectWords(target)} ${jsonPath}`,
    needs: written.contextNeedsOf(patch),
    hint: written.contextHintOf(patch),
  })
  if (written.format === 'kustomize') {
    const overlay = { word: shellWord(overlayOf(patch)), needs: [], name: 'the overlay', hint: '' }
    const { word, needs, name, hint } = hasOverlay(written, [patch]) ? overlay : written.kustomizationOf(patch)
    const source = { command: `kubectl kustomize ${word} | ${read}`, needs, hint }
    return [
      say('kustomize', `in what ${name} builds`, { ...source, hasNamesakes: written.isBuiltTogether(patch) }),
      live,
    ]
  }
  if (!helmWords) {
    const variable = written.fileVariableOf(patch)
    const where = `in its manifest ${variable} of your checkout`
    return [say('kubectl-local', where, { command: `${read} < ${guarded(variable)}`, needs: [variable] }), live]
  }
  const file = written.fileOf(patch)
  if (!file || file.pathSource === 'none') return [live]
  const { release, chart, needs, version, values, hint, valuesHint } = helmWords(file, patch)
  const rendered = `helm template ${release} ${chart}${namespaceFlag(target)}${version} ${values} -f ${shellWord(file.path)}`
  const source = { command: `${rendered} | ${read}`, needs, hint: `${hint}${valuesHint}` }
  return [say('helm', 'in what the chart renders', source), live]
}

/** Where a check looks. */
type Source = {
  /** Prints a line for each object. */
  readonly command: string
  /** Variables of the command, which have to be set before. */
  readonly needs: readonly string[]
  readonly hint?: string
  /** It prints what has the same name in other namespaces as well. */
  readonly hasNamesakes?: boolean
}

/** What picks the line, and what it has to be. Only among namesakes does the namespace count: Git often leaves it out. */
function soughtIn({ hasNamesakes = false }: Source, line: string, target: ManifestTarget) {
  const whole = shellWord(`${line}${target.namespace}`)
  if (hasNamesakes) return { filter: `grep -Fx ${whole}`, expected: whole }
  const expected = anyOf(namespacesOf(target).map((namespace) => `${line}${namespace}`))
  return { filter: `grep -F ${shellWord(line)}`, expected }
}

/** What to print of an object, and how the line begins when all is as it should be: its namespace ends it. */
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
    template: `/{.kind} {.metadata.name}${all.map(({ path }) => `|{${path}}`).join('')} in {.metadata.namespace}{"\\n"}`,
    line: `/${target.kind} ${target.name}${all.map(({ value }) => `|${value}`).join('')} in `,
  }
}
