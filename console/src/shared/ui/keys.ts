/** Where a key is text, or belongs to what floats above the page. */
const elsewhere =
  'input, textarea, select, [contenteditable], dialog, [role="menu"], [role="listbox"], [role="dialog"]:not([data-pane])'

/** What Safari says of the Enter that only ends a composition, which it reports after its end. */
const composingKeyCode = 229

/** Whether a key belongs to an input method: the Enter that takes a Chinese word sends no form. */
export function isComposing(event: { readonly isComposing: boolean; readonly keyCode: number }): boolean {
  return event.isComposing || event.keyCode === composingKeyCode
}

/** Whether a key pressed anywhere on the page may be a shortcut: nobody is typing, and nothing lies above the page. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isComposing(event))
    return false
  const target = event.target instanceof Element ? event.target : null
  return !target?.closest(elsewhere) && !document.querySelector('dialog[open]')
}
