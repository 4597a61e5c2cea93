import { useEffect, useState } from 'react'
import { useText } from '../i18n/language.ts'
import { classes } from './classes.ts'
import css from './copy-code.module.css'
import { Icon } from './icon.tsx'
import { showToast } from './toast/toast-store.ts'

const doneMs = 1_500

/** A machine code or another code in the mono face; a click copies it. */
export function CopyCode({ code, className }: { code: string; className?: string | undefined }) {
  const t = useText()
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), doneMs)
    return () => clearTimeout(timer)
  }, [done])
  return (
    <button
      type="button"
      className={classes(css.code, done && css.done, className)}
      data-tip={t.app.copyCode}
      aria-label={`${t.app.copyCode} ${code}`}
      onClick={async (event) => {
        event.stopPropagation()
        try {
          await navigator.clipboard.writeText(code)
          setDone(true)
        } catch {
          // Without https a page cannot use the clipboard.
          showToast(t.notices.copyFailed, 'failure')
        }
      }}
    >
      <span className="cut">{code}</span>
      <Icon name={done ? 'check' : 'copy'} size={12} />
      {done && (
        <span className="sr-only" role="status">
          {t.notices.copied}
        </span>
      )}
    </button>
  )
}
