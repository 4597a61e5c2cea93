import { useText } from '../../shared/i18n/language.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { LoginLayout } from '../../shared/ui/outside/login-layout.tsx'
import { OutsideLink } from '../../shared/ui/outside/outside-link.tsx'
import css from './session-ended-page.module.css'

/** Explains that the session has expired, and leads back to the page. */
export function SessionEndedPage() {
  const t = useText().app.ended
  return (
    <LoginLayout>
      <span className={css.mark}>
        <Icon name="clock" size={22} />
      </span>
      <h1 className={css.title} data-subject="">
        {t.title}
      </h1>
      <p className={css.body}>{t.body}</p>
      <OutsideLink to="/login" className={css.again}>
        {t.again}
      </OutsideLink>
    </LoginLayout>
  )
}
