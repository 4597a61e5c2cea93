import type { telemetry } from '@busbar/contract'
import {
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLiveValue } from '../../../entities/machine/live-values.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { formatTagValue } from '../../../shared/ui/data/tag-value.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { isComposing } from '../../../shared/ui/keys.ts'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Select } from '../../../shared/ui/select/select.tsx'
import css from './set-point.module.css'
import {
  formatRange,
  isLargeStep,
  isUnchanged,
  listChoices,
  parseSetPoint,
  stepSetPoint,
  typedValue,
  writtenText,
} from './set-point-value.ts'
import { setPoints, useWriteProgress } from './set-points.ts'
import { refusalText } from './write-status.tsx'

interface SetPointEditorProps {
  machineId: number
  tag: telemetry.Tag
  onClose: () => void
}

/**
 * Under a tag's row: a value to write to the machine. The value above it stays the machine's own. Esc closes
 * it, and so does a write that the platform accepts; a refusal is shown at the field.
 */
export function SetPointEditor({ machineId, tag, onClose }: SetPointEditorProps) {
  const t = useText()
  const words = t.visits.setPoint
  const live = useLiveValue(tag.tagId)
  const progress = useWriteProgress(tag.tagId)
  const choices = listChoices(tag)
  const [typed, setTyped] = useState(() =>
    choices.length > 0 ? String(live?.value ?? '') : typedValue(live?.value, tag),
  )
  const [problem, setProblem] = useState('')
  /** A large step was asked about: the next press writes it. */
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  /** The selection after a step, counted from the end, because digits are added and removed at the front. */
  const selection = useRef<readonly [fromStart: number, fromEnd: number]>(undefined)
  const hintId = useId()

  useEffect(() => {
    setPoints.clear(tag.tagId)
    field.current?.focus()
    if (field.current instanceof HTMLInputElement) field.current.select()
  }, [tag.tagId])

  // A step replaces the text of the field, and a browser would move the caret to its end.
  useLayoutEffect(() => {
    const kept = selection.current
    selection.current = undefined
    if (!kept || !(field.current instanceof HTMLInputElement)) return
    const [start, end] = kept.map((fromEnd) => Math.max(typed.length - fromEnd, 0))
    field.current.setSelectionRange(start ?? 0, end ?? 0)
  }, [typed])

  function change(text: string) {
    setTyped(text)
    setProblem('')
    setAsked(false)
    setPoints.clear(tag.tagId)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const parsed = parseSetPoint(typed, tag, words)
    if ('problem' in parsed) {
      setProblem(parsed.problem)
      field.current?.focus()
      return
    }
    if (isLargeStep(parsed.value, live, tag) && !isAsked) return setAsked(true)
    setBusy(true)
    const isTaken = await setPoints.write(machineId, tag.tagId, parsed.value)
    setBusy(false)
    if (isTaken) onClose()
    else field.current?.focus()
  }

  function onKey(event: KeyboardEvent) {
    event.stopPropagation()
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape') return onClose()
    // A key held down would answer the question that it asked.
    if (event.key === 'Enter' && event.repeat) return event.preventDefault()
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!direction || choices.length > 0 || tag.type === 'string') return
    event.preventDefault()
    const next = stepSetPoint(typed, tag, direction > 0 ? 1 : -1)
    if (next === typed) return
    if (field.current instanceof HTMLInputElement) {
      const { selectionStart, selectionEnd } = field.current
      const isAll = selectionStart === 0 && selectionEnd === typed.length
      const fromEnd = (place: number | null) => typed.length - (place ?? typed.length)
      selection.current = [isAll ? next.length : fromEnd(selectionStart), fromEnd(selectionEnd)]
    }
    change(next)
  }

  const parsed = parseSetPoint(typed, tag, words)
  const isSame = 'value' in parsed && isUnchanged(parsed.value, live, tag)
  // The machine's current value, which may have changed since the editor was opened.
  const from = formatTagValue(live?.value, tag, t.machines.bool).text
  const to = 'value' in parsed ? writtenText(typed, parsed.value, tag, t.machines.bool) : ''
  const step = to && `${from} → ${to}`
  const isAsking = isAsked && !problem
  const error = problem || (progress?.kind === 'refused' ? refusalText(progress.error, tag, t) : '')
  return (
    <form className={css.editor} noValidate onSubmit={(event) => void submit(event)} onKeyDown={onKey}>
      <Row gap={8}>
        {choices.length > 0 ? (
          <Select
            label={words.value(tag.name)}
            isLabelHidden
            autoFocus
            size="small"
            className={css.choice}
            choices={choices.map(({ value, name }) => ({ value: String(value), label: name }))}
            value={typed === '' ? undefined : typed}
            onChange={change}
          />
        ) : (
          <input
            ref={field}
            value={typed}
            aria-label={words.value(tag.name)}
            aria-invalid={error ? true : undefined}
            aria-describedby={hintId}
            className={classes(css.field, error && css.wrong)}
            type="text"
            inputMode={tag.type === 'string' ? 'text' : 'decimal'}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(event.target.value)}
          />
        )}
        {tag.unit && <Text tone="quiet">{tag.unit}</Text>}
        <Box as="span" grows />
        <Button size="small" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button
          size="small"
          kind={isAsking ? 'danger' : 'primary'}
          type="submit"
          busy={isBusy}
          disabled={isSame}
          className={css.write}
          aria-label={step ? words.writeOf(tag.name, step) : undefined}
        >
          <span className="cut">{step || words.write}</span>
        </Button>
      </Row>
      <Row
        id={hintId}
        as="p"
        shrinks
        tone="quiet"
        size="11/16"
        numbers
        className={classes(css.hint, error && css.error, isAsking && css.asking)}
        role={error || isAsking ? 'alert' : undefined}
      >
        {(error || isAsking) && <Icon name="warning" size={12} />}
        <span className={error || isAsking ? css.said : 'cut'}>
          {error ||
            (isAsking
              ? words.largeStep(tag.name, formatRange(tag, words))
              : isSame
                ? words.same
                : formatRange(tag, words))}
        </span>
        {!error && !isAsking && <span className={css.keys}>{words.keys}</span>}
      </Row>
    </form>
  )
}
