import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { classes } from '../../shared/ui/classes.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { isComposing } from '../../shared/ui/keys.ts'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import css from './jump-palette.module.css'
import { findJumps, type Jump } from './jumps.ts'
import { useJumps } from './use-jumps.ts'

/** Goes to a machine or a page, or does something, by a few letters. ↑ ↓ choose, Enter opens, Esc leaves. */
export function JumpPalette({ onClose }: { onClose: () => void }) {
  const text = useText()
  const t = text.app.palette
  const all = useJumps()
  const [typed, setTyped] = useState('')
  const [place, setPlace] = useState(0)
  const box = useRef<HTMLDialogElement>(null)
  const listId = useId()
  const jumps = useMemo(() => findJumps(typed, all), [typed, all])
  const groups = { page: t.pages, machine: t.machines, action: text.palette.actions }

  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])

  function open(jump: Jump | undefined) {
    if (!jump) return
    onClose()
    jump.run()
  }

  function onKey(event: KeyboardEvent) {
    event.stopPropagation()
    if (isComposing(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const next = (place + step + jumps.length) % Math.max(1, jumps.length)
      setPlace(next)
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(jumps[place])
    }
  }

  return (
    <dialog
      ref={box}
      className={css.palette}
      aria-label={t.title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={onKey}
    >
      <Row line="bottom" gap={10} tone="quiet" className={css.field}>
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={jumps[place] ? `${listId}-${place}` : undefined}
          aria-label={t.placeholder}
          placeholder={t.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setPlace(0)
          }}
        />
        <kbd>Esc</kbd>
      </Row>
      <div className={css.results} role="listbox" id={listId} aria-label={t.title}>
        {jumps.map((jump, at) => (
          <div key={jump.key} role="presentation">
            {jumps[at - 1]?.kind !== jump.kind && (
              <Text as="p" tone="quiet" size="11/14" className={css.group} role="presentation">
                {groups[jump.kind]}
              </Text>
            )}
            <Row
              role="option"
              id={`${listId}-${at}`}
              tabIndex={-1}
              aria-selected={at === place}
              padX={12}
              gap={10}
              className={css.result}
              onPointerMove={() => setPlace(at)}
              onClick={() => open(jump)}
            >
              <Icon name={jump.icon} />
              <Text grows weight={500} cut>
                {jump.label}
              </Text>
              {jump.note && (
                <span className={classes('cut', css.code, jump.isCode && 'mono')}>{jump.note}</span>
              )}
            </Row>
          </div>
        ))}
      </div>
      {jumps.length === 0 && <EmptyState icon="search" title={t.empty} hint={t.emptyHint} />}
      <p className="sr-only" role="status">
        {t.results(jumps.length)}
      </p>
      <footer className={css.foot} aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd>
        <span>{t.move}</span>
        <kbd>↵</kbd>
        <span>{t.open}</span>
      </footer>
    </dialog>
  )
}
