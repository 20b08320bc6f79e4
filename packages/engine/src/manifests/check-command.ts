import { anyOf, failWith, namespacesOf } from './checkout-file.ts'
import type { ManifestTarget } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { askFirst } from './shell-variables.ts'

/** Where a check looks, and what the answer "No" means there. */
export type CheckSource = {
  /** Prints objects, or one line for each object where `read` is absent. */
  readonly command: string
  /** Turns the objects into one line each. */
  readonly read?: string
  /** Variables of the command, which must be set before. */
  readonly needs: readonly string[]
  /** The checked place, as part of a sentence. */
  readonly where: string
  /** Only objects of these namespaces count; absent: all. */
  readonly namespaces?: readonly string[] | undefined
  readonly reasons: {
    /** The command failed; its own message is above. */
    readonly failed: string
    /** No object has the kind and the name. */
    readonly absent: string
    /** The object has other values. */
    readonly different: string
  }
}

/** One line for each object: `/Kind name; field=value; namespace=…`. */
export type ObjectLine = {
  /** The same for every object of the kind and the name. */
  readonly start: string
  /** The line without its namespace. */
  readonly expected: string
}

/** A shell command that prints `yes`, or `No`, what was found instead and the likely reason. */
export function checkCommand(source: CheckSource, line: ObjectLine, target: ManifestTarget): string {
  const { command, read, needs, where, namespaces, reasons } = source
  const object = `${target.kind} ${target.name}`
  const collect =
    read === undefined ? `lines=$(${command})` : `built=$(${command}) && lines=$(${printed('built')} | ${read})`
  const ofNamespace = namespaces ? ` | grep ${namespaces.map(namespacePattern).join(' ')}` : ''
  const found = `found=$(${printed('lines')} | grep -F ${shellWord(line.start)}${ofNamespace} || :)`
  const expected = anyOf(
    (namespaces ?? namespacesOf(target)).map((namespace) => `${line.expected}namespace=${namespace}`),
  )
  const others = `$(${printed('lines')} | sed -n 's|^/\\(${target.kind} [^;]*\\);.*|\\1|p' | tr '\\n' ' ')`
  const quoted = (text: string) => shellWord(text)
  const failed = failWith(quoted(`No: ${reasons.failed}`))
  const absent = failWith(
    `${quoted(`No: ${where} has no ${object}.`)} "Objects of that kind: ${others}" ${quoted(reasons.absent)}`,
  )
  const twice = failWith(quoted(`No: ${where} has ${object} more than once.`))
  const different = failWith(
    [
      quoted(`No: ${object} in ${where} differs.`),
      '"Found: $found"',
      quoted(`Expected: ${line.expected}namespace=${target.namespace}`),
      quoted(reasons.different),
    ].join(' '),
  )
  const twiceFound = `*${shellWord(line.start)}*${shellWord(line.start)}*`
  const cases = `case "$found" in ${expected}) echo yes;; '') ${absent};; ${twiceFound}) ${twice};; *) ${different};; esac`
  return `${askFirst(needs)}if ${collect}; then ${found}; ${cases}; else ${failed}; fi`
}

const namespacePattern = (namespace: string) => `-e ${shellWord(`; namespace=${namespace}$`)}`

/** printf is part of every shell, so long values pass. */
const printed = (variable: string) => `printf '%s\\n' "$${variable}"`
