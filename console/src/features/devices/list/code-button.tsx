import { useText } from '../../../shared/i18n/index.ts'
import { copyText } from '../../../shared/ui/copy-text.ts'
import css from './code-button.module.css'

/** A machine code in a row: a press copies it. It renders only its text, because every row has one. */
export function CodeButton({ code, tabIndex }: { code: string; tabIndex: number }) {
  const t = useText()
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={css.code}
      data-tip={t.app.copyCode}
      aria-label={`${t.app.copyCode} ${code}`}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(code)
      }}
    >
      {code}
    </button>
  )
}
