import { useText } from '../i18n/language.ts'
import css from './skip-link.module.css'

/**
 * The first stop of the keyboard: past header and menu to the page itself, `#content`. A button, since a link would
 * write itself into the address, which says what is open and nothing else.
 */
export function SkipLink() {
  const t = useText().app.menu
  return (
    <button type="button" className={css.skip} onClick={() => document.getElementById('content')?.focus()}>
      {t.skip}
    </button>
  )
}
