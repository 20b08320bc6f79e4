const shownMax = 6

/** Entries that contain every word; entries that begin with the text come first. */
export function pickEntries<Named extends { word: string }>(
  entries: readonly Named[],
  text: string,
  max = shownMax,
): Named[] {
  const place = ({ word }: Named) => (word.toLowerCase().startsWith(text) ? 0 : 1)
  return matchingEntries(entries, text)
    .sort((a, b) => place(a) - place(b))
    .slice(0, max)
}

/** In the same order. */
export function matchingEntries<Named extends { word: string }>(entries: readonly Named[], text: string): Named[] {
  const words = text.split(/\s+/)
  return entries.filter(({ word }) => words.every((each) => word.toLowerCase().includes(each)))
}
