import type { TagView, WireValue } from '../../page-api.ts'
import { button, byId, el, icon, refill, setText } from './dom.ts'
import { formatRange, formatWithUnit, tagName } from './format.ts'
import type { Draft } from './number-draft.ts'
import { draftText, parseDraft, stepValue } from './number-draft.ts'
import { texts } from './texts.ts'

const textBytesMax = 1_024

/** Asks for a value; without a physical keyboard, with its own keys. `onSet` gets a valid value. */
export function openSheet(
  tag: TagView,
  current: WireValue,
  start: string,
  onSet: (draft: Draft) => void,
  onCancel: () => void,
): void {
  const t = texts()
  const sheet = byId<HTMLDialogElement>('sheet')
  const isNumber = tag.kind === 'number'
  const input = el('input', 'sheet-input')
  input.type = 'text'
  input.autocomplete = 'off'
  input.spellcheck = false
  // The keys below are the keyboard; that of a phone would cover them.
  if (isNumber) input.inputMode = 'none'
  input.value = start
  input.setAttribute('aria-label', tagName(tag))
  input.setAttribute('aria-describedby', 'sheet-hint')
  const hint = el('p', 'sheet-hint')
  hint.id = 'sheet-hint'
  const set = button('primary', () => finish(), t.set)
  const cancel = button('secondary', () => sheet.close(), t.cancel)
  const title = el('h2', 'sheet-title', tagName(tag))
  title.id = 'sheet-title'
  const facts = el('p', 'sheet-now', t.now(formatWithUnit(tag, current)))
  const field = el('div', 'sheet-field', input, el('span', 'unit', tag.unit))
  const form = el('div', 'sheet-form', title, facts, field, hint, el('div', 'sheet-actions', cancel, set))
  refill(sheet, form, ...(isNumber ? [createKeys(tag, input, check)] : []))
  sheet.setAttribute('aria-labelledby', 'sheet-title')
  sheet.classList.toggle('with-keys', isNumber)
  let isDone = false

  function draft(): Draft {
    if (isNumber) return parseDraft(tag, input.value)
    const isLong = new TextEncoder().encode(input.value).length > textBytesMax
    return isLong
      ? { text: input.value, value: null, problem: t.tooLong(textBytesMax) }
      : { text: input.value, value: input.value, problem: '' }
  }

  function check(): void {
    const { problem } = draft()
    // An empty field is not a mistake yet.
    setText(hint, input.value === '' && isNumber ? formatRange(tag) : problem || formatRange(tag))
    hint.classList.toggle('wrong', problem !== '' && input.value !== '')
    set.disabled = problem !== ''
  }

  function finish(): void {
    const asked = draft()
    if (asked.problem !== '') return
    isDone = true
    sheet.close()
    onSet(asked)
  }

  input.addEventListener('input', check)
  input.addEventListener('keydown', (event) => {
    // While an input method is composing, Enter takes its suggestion.
    if (event.key === 'Enter' && !event.isComposing) finish()
  })
  sheet.onclose = () => {
    if (!isDone) onCancel()
  }
  // Beside the sheet; its own parts are inside the form and the keys.
  sheet.onclick = (event) => {
    if (event.target === sheet && isOutside(sheet, event)) sheet.close()
  }
  sheet.showModal()
  check()
  input.focus()
  input.select()
}

export function closeSheet(): void {
  const sheet = byId<HTMLDialogElement>('sheet')
  if (sheet.open) sheet.close()
}

function isOutside(sheet: HTMLElement, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = sheet.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

function createKeys(tag: TagView, input: HTMLInputElement, onChange: () => void): HTMLElement {
  const t = texts()

  function change(next: (text: string) => string): void {
    const isAllSelected = input.selectionStart === 0 && input.selectionEnd === input.value.length
    input.value = next(isAllSelected ? '' : input.value)
    onChange()
  }

  function key(label: string | Node, name: string, press: () => void, className = ''): HTMLButtonElement {
    const element = button(`keypad-key ${className}`, press, label)
    if (name !== '') element.setAttribute('aria-label', name)
    // The field keeps the focus, so that a keyboard continues after the drawn keys.
    element.addEventListener('pointerdown', (event) => event.preventDefault())
    return element
  }

  function move(steps: number): void {
    const { value } = parseDraft({ ...tag, min: null, max: null }, input.value)
    input.value = typeof value === 'boolean' || value === null ? input.value : stepValue(tag, value, steps)
    onChange()
  }

  const digit = (text: string) => key(text, '', () => change((typed) => typed + text))
  const rows: HTMLElement[] = [
    ...['7', '8', '9'].map(digit),
    key(icon('back'), t.keys.back, () => change((typed) => typed.slice(0, -1)), 'quiet'),
    ...['4', '5', '6'].map(digit),
    key('C', t.keys.clear, () => change(() => ''), 'quiet'),
    ...['1', '2', '3'].map(digit),
    key('+', t.more(tagName(tag)), () => move(1), 'quiet'),
    key('±', t.keys.sign, () => {
      const typed = input.value
      input.value = typed.startsWith('-') ? typed.slice(1) : `-${typed}`
      onChange()
    }),
    digit('0'),
    key('.', t.keys.point, () => change((typed) => (typed.includes('.') ? typed : `${typed || '0'}.`))),
    key('−', t.less(tagName(tag)), () => move(-1), 'quiet'),
  ]
  if (tag.whole) (rows[14] as HTMLButtonElement).disabled = true
  if (tag.min !== null && tag.min >= 0) (rows[12] as HTMLButtonElement).disabled = true
  return el('div', 'keypad', ...rows)
}

/** The text a sheet starts with. */
export function startText(value: WireValue, tag: TagView): string {
  if (value === null || typeof value === 'boolean') return ''
  return tag.kind === 'number' ? draftText(tag, value) : String(value)
}
