import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from '../../api/store.ts'
import { useText } from '../../i18n/language.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { topDialog } from '../kit/top-dialog.ts'
import css from './toast-list.module.css'
import { hideToast, holdToasts, releaseToasts, type ToastKind, toasts } from './toast-store.ts'

const icons = { done: 'check', failure: 'warning', info: 'info' } as const satisfies Record<ToastKind, string>

/**
 * The place of all toasts, once in the page. Read out as they come; F6 leads the keyboard to them and back.
 */
export function ToastList() {
  const shown = useStore(toasts)
  const dialog = useStore(topDialog)
  const t = useText().notices
  const box = useRef<HTMLElement>(null)
  const before = useRef<Element>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: in another dialog it is another element
  useLayoutEffect(() => {
    if (shown.length === 0) releaseToasts()
    // The dialog around it is closing: it is rendered again outside.
    if (!box.current?.isConnected) return
    // Shown again in the top layer, above a dialog that was opened before.
    box.current.hidePopover()
    if (shown.length > 0) box.current.showPopover()
  }, [shown, dialog])

  useEffect(releaseToasts, [])

  const goBack = useCallback(() => {
    if (before.current instanceof HTMLElement) before.current.focus()
    before.current = null
  }, [])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || toasts.get().length === 0) return
      event.preventDefault()
      if (box.current?.contains(document.activeElement)) return goBack()
      before.current = document.activeElement
      box.current?.querySelector('button')?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [goBack])

  function end(key: number) {
    if (box.current?.contains(document.activeElement)) goBack()
    hideToast(key)
    // If an element is removed under the pointer, no leave event follows.
    releaseToasts()
  }

  function go(key: number, run: () => void) {
    end(key)
    run()
  }

  return createPortal(
    <section
      ref={box}
      popover="manual"
      className={css.list}
      aria-live="polite"
      aria-label={t.label}
      data-react-aria-top-layer="true"
    >
      {shown.map(({ key, kind, text, undo, act }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps what is in it from leaving
        <div
          key={key}
          className={classes(css.toast, css[kind])}
          role={kind === 'failure' ? 'alert' : 'status'}
          onPointerEnter={holdToasts}
          onPointerLeave={releaseToasts}
          onFocus={holdToasts}
          onBlur={releaseToasts}
        >
          <Icon name={icons[kind]} />
          <span className={css.text}>{text}</span>
          {undo && <WayButton label={t.undo} onGo={() => go(key, undo)} />}
          {act && <WayButton label={act.label} onGo={() => go(key, act.run)} />}
          <button type="button" className={css.close} aria-label={t.dismiss} onClick={() => end(key)}>
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
    </section>,
    // Outside an open dialog its buttons could not be pressed.
    dialog ?? document.body,
  )
}

function WayButton({ label, onGo }: { label: string; onGo: () => void }) {
  return (
    <button type="button" className={css.way} onClick={onGo}>
      {label}
    </button>
  )
}
