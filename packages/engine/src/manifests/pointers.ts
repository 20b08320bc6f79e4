type Path = readonly (string | number)[]

/** RFC 6901: `/` and `~` inside a name are escaped. */
export const pointerOf = (path: Path) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** As kubectl reads it: dots inside a name are escaped. */
export const jsonPathOf = (path: Path) =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part.replaceAll('.', String.raw`\.`)}`)).join('')
