import { useLayoutEffect, useRef } from 'react'
import { useStore } from '../api/store.ts'
import { useText } from '../i18n/language.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import css from './notice-list.module.css'
import { hideNotice, type NoticeKind, notices } from './notice-store.ts'

const icons = { done: 'check', failure: 'warning', info: 'info' } as const satisfies Record<
  NoticeKind,
  string
>

/** Where notices appear; once in the page. Read out as they come. */
export function NoticeList() {
  const shown = useStore(notices)
  const t = useText()
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // In the top layer, shown anew: above a dialog that was opened before.
    box.current?.hidePopover()
    if (shown.length) box.current?.showPopover()
  }, [shown])
  return (
    <section ref={box} popover="manual" className={css.list} aria-live="polite" aria-label={t.notices.label}>
      {shown.map(({ key, kind, text }) => (
        <div
          key={key}
          className={classes(css.notice, css[kind])}
          role={kind === 'failure' ? 'alert' : 'status'}
        >
          <Icon name={icons[kind]} />
          <span className={css.text}>{text}</span>
          <button
            type="button"
            className={css.close}
            aria-label={t.notices.dismiss}
            onClick={() => hideNotice(key)}
          >
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
    </section>
  )
}
