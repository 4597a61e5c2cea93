type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const selector = 'input:not([type="search"], [type="hidden"], [role="combobox"]), textarea, select'

/**
 * Follows the browser's own fields within an element: whether any of them now shows another value than before
 * the person's first entry. Search fields do not count.
 */
export function watchFields(within: HTMLElement): { isChanged: () => boolean; end: () => void } {
  const before = new Map<Field, string>()
  const noteBefore = ({ target }: Event) => {
    if (target instanceof HTMLElement && target.matches(selector) && !before.has(target as Field))
      before.set(target as Field, shownValue(target as Field))
  }
  // A field is focused before it is typed into; a press changes a checkbox immediately.
  const events = ['focusin', 'pointerdown', 'beforeinput'] as const
  for (const name of events) within.addEventListener(name, noteBefore, true)
  return {
    isChanged: () => [...before].some(([field, value]) => field.isConnected && shownValue(field) !== value),
    end() {
      for (const name of events) within.removeEventListener(name, noteBefore, true)
    },
  }
}

function shownValue(field: Field): string {
  return field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)
    ? String(field.checked)
    : field.value
}
