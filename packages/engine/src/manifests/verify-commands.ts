import { checkCommand, type CheckSource, type ObjectLine } from './check-command.ts'
import { offline } from './checkout-file.ts'
import { hasOverlay } from './component-steps.ts'
import type { HelmWordsOf } from './helm-words.ts'
import { componentsOf, overlayOf, transformersPath } from './kustomize.ts'
import { describeTarget, templatePathOf, type ObjectPatch } from './object-patch.ts'
import { jsonPathOf } from './pointers.ts'
import { shellWord } from './safe-text.ts'
import { guarded } from './shell-variables.ts'
import { namespaceFlag, objectWords, type WrittenIndex } from './written-index.ts'

export type VerifyStep = {
  readonly tool: 'kubectl' | 'kubectl-local' | 'kustomize' | 'helm'
  readonly clusterId: string
  readonly description: string
  readonly command: string
  readonly expect: 'yes'
}

/**
 * Commands that print `yes` when the change is there exactly once, and else the reason. kustomize ignores a target that
 * selects nothing, and a chart ignores a value that it does not know: only the output tells.
 */
export function verifyStepsOf(written: WrittenIndex, helmWords: HelmWordsOf | null): VerifyStep[] {
  const listedIn = written.format === 'kustomize' ? listedPaths(written) : new Map<ObjectPatch, string>()
  return written.patches.flatMap((patch) => stepsOf(written, patch, { helmWords, listed: listedIn.get(patch) ?? '' }))
}

/** The transformers file that changes each object. */
const listedPaths = ({ patches }: WrittenIndex) =>
  new Map(
    componentsOf(patches).flatMap((component) => component.own.map((patch) => [patch, transformersPath(component)])),
  )

type Known = { readonly helmWords: HelmWordsOf | null; readonly listed: string }

/** A place to check, and what the reader sets before. */
type Place = { readonly tool: VerifyStep['tool']; readonly source: CheckSource; readonly hint: string }

function stepsOf(written: WrittenIndex, patch: ObjectPatch, known: Known): VerifyStep[] {
  const { target } = patch
  const { template, line } = expectationOf(patch)
  const jsonPath = `-o jsonpath=${shellWord(template)}`
  const object = `${describeTarget(target)}${written.ofCluster(patch)}`
  const places = [offlinePlace(written, patch, jsonPath, known), livePlace(written, patch, jsonPath)]
  return places.flatMap((place) =>
    place === null
      ? []
      : [
          {
            tool: place.tool,
            clusterId: target.clusterId,
            description: `${object} in ${place.source.where}.${place.hint}`,
            command: checkCommand(place.source, line, target),
            expect: 'yes',
          },
        ],
  )
}

const livePlace = (written: WrittenIndex, patch: ObjectPatch, jsonPath: string): Place => ({
  tool: 'kubectl',
  hint: written.contextHintOf(patch),
  source: {
    command: `kubectl${written.contextOf(patch)} get ${objectWords(patch.target)} ${jsonPath}`,
    needs: written.contextNeedsOf(patch),
    where: 'the cluster',
    reasons: {
      failed: 'kubectl failed; its message is above.',
      absent: 'Check the namespace.',
      different: 'The change is not applied yet, or something has reverted it.',
    },
  },
})

function offlinePlace(written: WrittenIndex, patch: ObjectPatch, jsonPath: string, known: Known): Place | null {
  const read = `${offline} ${jsonPath}`
  if (written.format === 'kustomize') return builtPlace(written, patch, { read, listed: known.listed })
  return known.helmWords ? renderedPlace(written, patch, read, known.helmWords) : checkoutPlace(written, patch, read)
}

function builtPlace(
  written: WrittenIndex,
  patch: ObjectPatch,
  { read, listed }: { read: string; listed: string },
): Place {
  const overlay = { word: shellWord(overlayOf(patch)), needs: [], name: 'the overlay', hint: '' }
  const isOverlay = hasOverlay(written, [patch])
  const { word, needs, name, hint } = isOverlay ? overlay : written.kustomizationOf(patch)
  const { kind, name: objectName } = patch.target
  const entry = isOverlay ? 'the overlay lists its component' : `kustomization.yaml lists ${listed} under transformers`
  return {
    tool: 'kustomize',
    hint,
    source: {
      command: `kubectl kustomize ${word}`,
      read,
      needs,
      where: `the build of ${name}`,
      hasNamesakes: written.isBuiltTogether(patch),
      reasons: {
        failed: `kubectl kustomize failed; its message is above. A failed test of /metadata/name means that another object has the same base as ${kind} ${objectName} and the target selects both. Request an overlay (kustomize.base) over the directory that builds only ${kind} ${objectName}, and list the overlay in its place.`,
        absent:
          'Targets use the name in the cluster. If another overlay adds namePrefix or nameSuffix to this directory, use the directory of that overlay. If Argo CD or Flux adds them, the local build does not show the final name: run the kubectl check after the rollout.',
        different: `Check that ${entry}, and that no later entry sets the same field. A component of this kustomization is applied before its namePrefix and nameSuffix and does not find the final name.`,
      },
    },
  }
}

function checkoutPlace(written: WrittenIndex, patch: ObjectPatch, read: string): Place {
  const variable = written.fileVariableOf(patch)
  return {
    tool: 'kubectl-local',
    hint: '',
    source: {
      command: `${read} < ${guarded(variable)}`,
      needs: [variable],
      where: `the manifest ${variable} of your checkout`,
      reasons: {
        failed: `kubectl cannot read ${variable}; its message is above.`,
        absent: `Set ${variable} to the manifest of this object.`,
        different: 'Run the kubectl-local command first.',
      },
    },
  }
}

function renderedPlace(written: WrittenIndex, patch: ObjectPatch, read: string, helmWords: HelmWordsOf): Place | null {
  const file = written.fileOf(patch)
  if (!file || file.pathSource === 'none') return null
  const { release, chart, needs, version, values, hint, valuesHint } = helmWords(file, patch)
  return {
    tool: 'helm',
    hint: `${hint}${valuesHint}`,
    source: {
      command: `helm template ${release} ${chart}${namespaceFlag(patch.target)}${version} ${values} -f ${shellWord(file.path)}`,
      read,
      needs,
      where: 'the rendered chart',
      reasons: {
        failed: 'helm template failed; its message is above.',
        absent: 'Check the release name, the chart and your own values.',
        different:
          'The chart does not take these values from this path. Store the right path with PUT /api/v1/gitops/helm-paths (the path of a subchart begins with its name or alias), or use the format kustomize.',
      },
    },
  }
}

/** What to print of an object, and the line that shows the change. */
function expectationOf(patch: ObjectPatch): { template: string; line: ObjectLine } {
  const { target, containers, fields } = patch
  const template = templatePathOf(target) ?? []
  const quantities = containers.flatMap(({ container, changes }) => {
    const list = jsonPathOf([...template, container.list])
    const one = container.name === '' ? `[${container.index}]` : `[?(@.name==${JSON.stringify(container.name)})]`
    return changes.map(({ section, resource, to }) => ({
      name: `${container.name} ${section}.${resource}`.trim(),
      path: `${list}${one}${jsonPathOf(['resources', section, resource])}`,
      value: to ?? '',
    }))
  })
  const others = fields.map(({ path, to }) => ({ name: path.join('.'), path: jsonPathOf(path), value: String(to) }))
  const all = [...quantities, ...others]
  const start = `/${target.kind} ${target.name}; `
  return {
    template: `/{.kind} {.metadata.name}; ${all.map(({ name, path }) => `${name}={${path}}; `).join('')}namespace={.metadata.namespace}{"\\n"}`,
    line: { start, expected: `${start}${all.map(({ name, value }) => `${name}=${value}; `).join('')}` },
  }
}
