import { Link } from '@tanstack/react-router'
import { LanguageButton, ThemeButton } from '../../app/preference-switches.tsx'
import { useText } from '../../i18n/index.ts'
import { Icon } from '../../ui/icon.tsx'
import css from './administration-page.module.css'

/** For whoever is no key of the machine, from the start or since a moment ago. */
export function NoAccess() {
  const t = useText().access.noAccess
  return (
    <div className={css.page}>
      <div className={css.corner}>
        <LanguageButton />
        <ThemeButton />
      </div>
      <main className={css.noAccess}>
        <span className={css.mark}>
          <Icon name="lock" size={20} />
        </span>
        <h1>{t.title}</h1>
        <p>{t.hint}</p>
        <Link to="/index/" className={css.way}>
          {t.back}
        </Link>
      </main>
    </div>
  )
}
