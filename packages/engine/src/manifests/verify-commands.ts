import { checkCommand, type ObjectLine } from './check-command.ts'
import { offline } from './checkout-file.ts'
import type { Format, Place } from './format-type.ts'
import { describeTarget, templatePathOf, type ObjectPatch } from './object-patch.ts'
import { jsonPathOf } from './pointers.ts'
import { shellWord } from './safe-text.ts'
import { objectWords, type VerifyStep, type WrittenIndex } from './written-index.ts'

/**
 * Commands that print `yes` if the change occurs exactly once, else the reason. kustomize ignores a target without a
 * match, and a chart ignores an unknown value, so only the output shows the result.
 */
export function verifyStepsOf(written: WrittenIndex, { verify }: Format): VerifyStep[] {
  const placeOf = verify(written)
  return written.patches.flatMap((patch) => stepsOf(written, patch, placeOf))
}

function stepsOf(written: WrittenIndex, patch: ObjectPatch, placeOf: ReturnType<Format['verify']>): VerifyStep[] {
  const { target } = patch
  const { template, line } = expectationOf(patch)
  const jsonPath = `-o jsonpath=${shellWord(template)}`
  const object = `${describeTarget(target)}${written.ofCluster(patch)}`
  const places = [placeOf(patch, `${offline} ${jsonPath}`), livePlace(written, patch, jsonPath)]
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

/** The template that prints an object, and the line that shows the change. */
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
