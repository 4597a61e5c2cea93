/** Elements in which a key is text, or belongs to a layer above the page. */
const elsewhere =
  'input, textarea, select, [contenteditable], dialog, [role="menu"], [role="listbox"], [role="dialog"]:not([data-pane])'

/** The key code that Safari reports, after the composition, for the Enter that only ends it. */
const composingKeyCode = 229

/** Whether a key belongs to an input method: the Enter that takes a Chinese word sends no form. */
export function isComposing(event: { readonly isComposing: boolean; readonly keyCode: number }): boolean {
  return event.isComposing || event.keyCode === composingKeyCode
}

/**
 * Whether a key pressed anywhere on the page may be a shortcut: no field has the focus, and no layer lies
 * above the page.
 */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isComposing(event))
    return false
  const target = event.target instanceof Element ? event.target : null
  return !target?.closest(elsewhere) && !document.querySelector('dialog[open]')
}
