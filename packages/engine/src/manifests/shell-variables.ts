import { groupBy } from '../group-by.ts'
import { shortHash } from './short-hash.ts'

/** An object with its own variables in the shell of the reader. */
type Named = {
  readonly key: string
  /** The same number for each, from the shortest to the most specific. */
  readonly names: readonly string[]
}

/** Variable suffixes of several objects, by the shortest names that distinguish all of them. */
export function endingsFor(things: readonly Named[]): ReadonlyMap<string, string> {
  const words = wordsFor(things)
  const same = groupBy(words, (word) => word)
  return new Map(
    things.map(({ key }, index) => {
      const word = words[index] ?? ''
      // Two objects must never share a variable.
      const isShared = (same.get(word)?.length ?? 0) > 1
      return [key, `_FOR_${isShared ? `${word}_${shortHash(key).toUpperCase()}` : word}`]
    }),
  )
}

function wordsFor(things: readonly Named[]): string[] {
  const levels = things[0]?.names.length ?? 0
  let words: string[] = []
  for (let level = 0; level < levels && new Set(words).size < things.length; level += 1) {
    words = things.map(({ names }) => wordOf(names[level] ?? ''))
  }
  return words
}

const wordOf = (name: string) =>
  name
    .toUpperCase()
    .match(/[A-Z0-9]+/g)
    ?.join('_') ?? 'UNNAMED'

/**
 * An option with the values file of the reader, or nothing if the variable is not set. It is one word, because not
 * every shell splits variables.
 */
export const ownValues = (variable: string) => `\${${variable}:+--values="$${variable}"}`

/** One word; a shell without the variable stops before the command. */
export const guarded = (variable: string) => `"\${${variable}:?is not set}"`

/**
 * Inside `$(…)` only the inner shell stops, and the outer shell would report a second error. So all required variables
 * are checked first.
 */
export const askFirst = (variables: readonly string[]): string =>
  variables.length === 0 ? '' : `: ${variables.map(guarded).join(' ')} && `
