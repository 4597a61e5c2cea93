import { useStore } from '../api/store.ts'
import { useText } from '../i18n/language.ts'
import { focusList, listOnPage } from './list-on-page.ts'
import css from './skip-link.module.css'

/** The first stops of the keyboard: past header and menu to the page itself, `#content`, and past its head to its list. */
export function SkipLink() {
  const t = useText().app.menu
  const hasList = useStore(listOnPage) !== null
  return (
    <>
      <SkipButton label={t.skip} onGo={() => document.getElementById('content')?.focus()} />
      {hasList && <SkipButton label={t.skipToList} onGo={focusList} />}
    </>
  )
}

/** Seen while it has the focus. A button, since a link would write itself into the address, which says what is open and nothing else. */
export function SkipButton({ label, onGo }: { label: string; onGo: () => void }) {
  return (
    <button type="button" className={css.skip} data-skip="" onClick={onGo}>
      {label}
    </button>
  )
}
