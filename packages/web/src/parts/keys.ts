/** A field, menu or open dialog handles its own keys. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open], [role="menu"]')) return true
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    ? !(target instanceof HTMLInputElement && target.type === 'checkbox')
    : false
}

/** Named as on the keyboard of the viewer. */
export const paletteKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

export const isPaletteKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
