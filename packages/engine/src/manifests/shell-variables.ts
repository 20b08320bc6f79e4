import { groupBy } from '../group-by.ts'
import { shortHash } from './short-hash.ts'

/** Something that has variables of its own in the reader's shell. */
type Named = {
  readonly key: string
  /** As many for each, from the shortest to the one that says most. */
  readonly names: readonly string[]
}

/** What the variables of several things end with, by the shortest of their names that tells all of them apart. */
export function endingsFor(things: readonly Named[]): ReadonlyMap<string, string> {
  const words = wordsFor(things)
  const same = groupBy(words, (word) => word)
  return new Map(
    things.map(({ key }, index) => {
      const word = words[index] ?? ''
      // Two things must never share a variable.
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
 * An option with the reader's own values, or nothing where they have not said which. It is one word, because not every shell
 * takes what a variable holds apart.
 */
export const ownValues = (variable: string) => `\${${variable}:+--values="$${variable}"}`

/** One word; a shell that does not know the variable stops before the command that it belongs to. */
export const guarded = (variable: string) => `"\${${variable}:?is not set}"`

/**
 * Inside `$(…)` a shell that stops is only the inner one: the outer goes on and would complain a second time, of what is
 * missing because of that. So whatever has to be set is looked at before.
 */
export const askFirst = (variables: readonly string[]): string =>
  variables.length === 0 ? '' : `: ${variables.map(guarded).join(' ')} && `
