/** Keys that belong to a field or to an open dialog are not ours. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open], [role="menu"]')) return true
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    ? !(target instanceof HTMLInputElement && target.type === 'checkbox')
    : false
}

/** As the keyboard in front of the person names them. */
export const paletteKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

export const isPaletteKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
