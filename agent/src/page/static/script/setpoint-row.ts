import type { TagView, WriteRequest, WriteView } from '../../page-api.ts'
import { button, el, setAttribute, setText } from './dom.ts'
import { formatRange, formatValue, formatWithUnit, tagName } from './format.ts'
import type { WriteAnswer } from './line.ts'
import type { Model } from './model.ts'
import { canWrite, isTrusted, shownValue, takeKept } from './model.ts'
import type { Draft } from './number-draft.ts'
import { parseDraft, stepValue } from './number-draft.ts'
import { openSheet, startText } from './sheet.ts'
import { texts } from './texts.ts'

/** An abandoned draft is dropped, so that the next person does not set it by mistake. */
const draftMsMax = 60_000
const messageMsMax = 30_000
/** Time within which the event of the own write may come after its answer. */
const ownWriteMs = 3_000
const holdMs = 450
const repeatMs = 90

type Tone = '' | 'done' | 'wrong' | 'pending'

export interface SetpointRow {
  element: HTMLElement
  update(): void
  /** A write by another person. */
  told(result: WriteView): void
}

/** A set-point: its value, the way to change it, and below what became of that. */
export function createSetpointRow(model: Model, index: number, tag: TagView): SetpointRow {
  let draft: Draft | null = null
  let isWriting = false
  let answeredAt = 0
  let message: { tone: Tone; text: string } | null = null
  let forgetDraft = 0
  let forgetMessage = 0

  const name = el('span', 'setpoint-name', tagName(tag))
  name.title = tagName(tag)
  const hint = el('span', 'setpoint-hint')
  hint.setAttribute('aria-live', 'polite')
  const number = el('span')
  const unit = el('span', 'unit')
  const controls = el('div', 'setpoint-controls')
  const element = el('li', 'setpoint', el('div', 'setpoint-words', name, hint), controls)
  const set = button('primary', () => draft !== null && void write(draft.value), texts().set)
  set.setAttribute('aria-label', `${texts().set} ${tagName(tag)}`)
  const field = createField()
  const steppers = tag.kind === 'number' ? { less: createStepper(-1), more: createStepper(1) } : null
  if (steppers !== null) controls.append(steppers.less, field, steppers.more, set)
  else controls.append(field)
  element.classList.add(tag.kind)

  function createField(): HTMLButtonElement {
    if (tag.kind === 'bool') {
      const toggle = button('switch', () => void write(shownValue(model, index).value !== true))
      toggle.append(el('span', 'switch-word'), el('span', 'switch-track', el('span', 'switch-thumb')))
      toggle.setAttribute('role', 'switch')
      toggle.setAttribute('aria-label', tagName(tag))
      return toggle
    }
    return button('setpoint-value', open, number, unit)
  }

  function open(): void {
    const { value } = shownValue(model, index)
    const start = draft?.text ?? startText(value, tag)
    openSheet(tag, value, start, (asked) => void write(asked.value), forget)
  }

  function createStepper(direction: 1 | -1): HTMLButtonElement {
    const label = direction === 1 ? texts().more : texts().less
    let timer = 0
    let times = 0
    const step = (): void => {
      const base = draft === null ? shownValue(model, index).value : draft.value
      if (base === null || typeof base === 'boolean') return
      // Holding the button speeds it up, so that 0 to 300 does not take minutes.
      begin(stepValue(tag, base, direction * (times > 40 ? 50 : times > 15 ? 10 : 1)))
    }
    const repeat = (): void => {
      times++
      step()
      timer = window.setTimeout(repeat, repeatMs)
    }
    const stop = (): void => clearTimeout(timer)
    const stepper = button(
      'stepper',
      () => {
        stop()
        // Releasing a held button does not count as another press.
        if (times === 0) step()
        times = 0
      },
      direction === 1 ? '+' : '−',
    )
    stepper.setAttribute('aria-label', label(tagName(tag)))
    stepper.addEventListener('pointerdown', () => {
      times = 0
      timer = window.setTimeout(repeat, holdMs)
    })
    for (const name of ['pointerup', 'pointerleave', 'pointercancel', 'contextmenu']) {
      stepper.addEventListener(name, stop)
    }
    return stepper
  }

  function begin(text: string): void {
    const { value } = shownValue(model, index)
    const asked = parseDraft(tag, text)
    draft = asked.value === value ? null : asked
    message = null
    clearTimeout(forgetDraft)
    forgetDraft = window.setTimeout(forget, draftMsMax)
    update()
  }

  function forget(): void {
    draft = null
    clearTimeout(forgetDraft)
    update()
  }

  function say(tone: Tone, text: string): void {
    message = { tone, text }
    clearTimeout(forgetMessage)
    if (tone !== 'pending') {
      forgetMessage = window.setTimeout(() => {
        message = null
        update()
      }, messageMsMax)
    }
    update()
  }

  async function write(value: Draft['value']): Promise<void> {
    if (isWriting || value === null || !canWrite(model)) return
    isWriting = true
    draft = null
    clearTimeout(forgetDraft)
    say('pending', texts().writing)
    const request: WriteRequest = { tag: index, value }
    const answer = await model.line.write(request)
    isWriting = false
    answeredAt = Date.now()
    sayAnswer(answer)
  }

  function sayAnswer(answer: WriteAnswer): void {
    const t = texts()
    if (answer === 'noAnswer') say('wrong', t.noAnswer)
    else if ('error' in answer) say('wrong', t.errors[answer.error])
    else {
      takeKept(model, answer)
      const kept = formatWithUnit(tag, answer.kept)
      const reason = answer.reason === '' ? '' : ` (${answer.reason})`
      const isTaken = answer.state === 'confirmed'
      if (answer.kept === null) say('wrong', (isTaken ? t.notRead : t.failed) + reason)
      else if (isTaken) say('done', t.kept(kept))
      else say('wrong', t.keptOther(kept) + reason)
    }
  }

  function update(): void {
    const t = texts()
    const shown = shownValue(model, index)
    const isFree = canWrite(model) && !isWriting && isTrusted(shown.quality)
    setAttribute(element, 'data-quality', shown.quality)
    setAttribute(element, 'data-draft', draft === null ? null : '')
    updateField(shown.value)
    field.disabled = !isFree
    if (steppers !== null) {
      const base = Number(draft?.value ?? shown.value)
      steppers.less.disabled = !isFree || (tag.min !== null && base <= tag.min)
      steppers.more.disabled = !isFree || (tag.max !== null && base >= tag.max)
    }
    set.disabled = !isFree || draft === null
    const now = draft === null ? null : t.notSet(formatWithUnit(tag, shown.value))
    // A range, else what the controller's people call it: an empty line would look forgotten.
    const rest = formatRange(tag) || (tagName(tag) === tag.name ? '' : tag.name)
    const trouble = shown.quality === 'good' ? null : t.quality[shown.quality]
    setText(hint, message?.text ?? now ?? trouble ?? rest)
    setAttribute(hint, 'data-tone', message?.tone || null)
  }

  function updateField(value: ReturnType<typeof shownValue>['value']): void {
    const t = texts()
    if (tag.kind === 'bool') {
      setAttribute(field, 'aria-checked', String(value === true))
      setText(field.firstElementChild as Element, value === null ? '—' : formatValue(tag, value))
      return
    }
    const drafted = draft?.value ?? value
    setText(number, formatValue(tag, drafted))
    setText(unit, drafted === null || tag.unit === '' ? '' : `\u202f${tag.unit}`)
    setAttribute(field, 'aria-label', `${t.change(tagName(tag))}, ${formatWithUnit(tag, drafted)}`)
  }

  return {
    element,
    update,
    told(result) {
      if (isWriting || Date.now() - answeredAt < ownWriteMs) return
      if (result.kept === null || result.state !== 'confirmed') return
      draft = null
      say('done', texts().changedElsewhere(formatWithUnit(tag, result.kept)))
    },
  }
}
