const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | undefined | HtmlValue[]

/** A template that escapes all values except HTML, so that escaping cannot be forgotten. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.map((text, index) => text + render(values[index])).join(''))
}

function render(value: HtmlValue): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(render).join('')
  return value instanceof Html
    ? value.text
    : String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
