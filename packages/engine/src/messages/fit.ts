const ellipsis = '…'

/** Shortens a text so that its escaped form has at most `max` characters. Never cuts a character or an escape in two. */
export function fit(text: string, max: number, escape: (character: string) => string = asIs): string {
  let escaped = ''
  // The longest start that leaves room for the ellipsis.
  let shortened = ''
  for (const character of text) {
    escaped += escape(character)
    if (escaped.length > max) return shortened + ellipsis
    if (escaped.length + ellipsis.length <= max) shortened = escaped
  }
  return escaped
}

const asIs = (character: string) => character
