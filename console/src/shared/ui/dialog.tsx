import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useText } from '../i18n/language.ts'
import { Button, IconButton } from './button.tsx'
import css from './dialog.module.css'
import { isComposing } from './keys.ts'
import { DialogBox } from './kit/dialog-box.ts'
import { enterDialog, topDialog } from './kit/top-dialog.ts'
import { watchFields } from './kit/watch-fields.ts'
import { Row, Text } from './layout/layout.tsx'

interface DialogProps {
  title: string
  /** Esc, the cross, or a press beside it. Left out: it can only be answered. */
  onClose?: (() => void) | undefined
  children: ReactNode
  /** Buttons, the primary one last. */
  actions?: ReactNode
  /** Pixels on a wide screen; a phone gets a sheet at the bottom. */
  width?: number
}

/**
 * A modal dialog on the browser's own: focus stays inside and returns, the rest of the page is inert. If
 * something was entered, it asks before Esc, the cross or a press outside discards it.
 */
export function Dialog({ title, onClose, children, actions, width = 440 }: DialogProps) {
  const t = useText()
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const isNoted = useRef(false)
  const isEntered = useRef((): boolean => false)
  const isPressedBeside = useRef(false)
  const [asks, setAsks] = useState(false)
  const surroundings = useMemo(
    () => ({
      box,
      noteChange: () => {
        isNoted.current = true
      },
    }),
    [],
  )
  // Runs before the dialog leaves the page: a removed dialog cannot return the focus.
  useLayoutEffect(() => {
    const dialog = box.current
    if (!dialog) return
    dialog.showModal()
    const leave = enterDialog(dialog)
    // React set the focus while the dialog was still closed, without effect.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      leave()
      dialog.close()
    }
  }, [])
  useEffect(() => {
    if (!box.current) return
    const fields = watchFields(box.current)
    isEntered.current = fields.isChanged
    return fields.end
  }, [])

  function close() {
    if (onClose && (isNoted.current || isEntered.current())) setAsks(true)
    else onClose?.()
  }

  // A button that its act disables loses the focus to the page, whose keys the dialog does not hear: the browser would close it
  // without a question, and with it a secret that is shown once.
  const closeLatest = useRef(close)
  closeLatest.current = close
  useEffect(() => {
    function onPageKey(event: globalThis.KeyboardEvent) {
      if (event.key !== 'Escape' || event.target !== document.body || topDialog.get() !== box.current) return
      event.preventDefault()
      event.stopPropagation()
      closeLatest.current()
    }
    document.addEventListener('keydown', onPageKey, true)
    return () => document.removeEventListener('keydown', onPageKey, true)
  }, [])

  // Not left to the browser: Chromium closes without a question if there was no press since the previous
  // dialog.
  function onKey(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return
    event.preventDefault()
    close()
  }

  return (
    <DialogBox value={surroundings}>
      <dialog
        ref={box}
        className={css.dialog}
        style={{ '--dialog-width': `${width}px` } as CSSProperties}
        aria-labelledby={titleId}
        onCancel={(event) => {
          event.preventDefault()
          if (event.target === event.currentTarget) close()
        }}
        onKeyDown={onKey}
        // A press that began in a field, to select its text, may end beside the dialog.
        onPointerDown={(event) => {
          isPressedBeside.current = isBackdrop(event)
        }}
        onClick={(event) => isPressedBeside.current && isBackdrop(event) && close()}
      >
        <Row gap={12} className={css.head}>
          <Text id={titleId} as="h2" grows breaks>
            {title}
          </Text>
          {onClose && <IconButton icon="close" label={t.app.close} onClick={close} />}
        </Row>
        <div className={css.body}>{children}</div>
        {actions && <div className={css.actions}>{actions}</div>}
        {asks && onClose && <DiscardDialog onKeep={() => setAsks(false)} onDiscard={onClose} />}
      </dialog>
    </DialogBox>
  )
}

/** Asks before input is lost. */
function DiscardDialog({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const t = useText().app.discard
  return (
    <Dialog
      title={t.title}
      width={360}
      onClose={onKeep}
      actions={
        <>
          <Button autoFocus onClick={onKeep}>
            {t.keep}
          </Button>
          <Button kind="danger" onClick={onDiscard}>
            {t.drop}
          </Button>
        </>
      }
    >
      <p>{t.body}</p>
    </Dialog>
  )
}

/** Whether a press is beside the dialog: on its own element, outside of what it draws. */
function isBackdrop({ target, clientX, clientY, currentTarget }: React.MouseEvent): boolean {
  if (target !== currentTarget) return false
  const at = currentTarget.getBoundingClientRect()
  return clientX < at.left || clientX > at.right || clientY < at.top || clientY > at.bottom
}
