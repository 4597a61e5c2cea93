import { signInPath, toAddress } from '../../app/address.ts'
import { goOutside, wantedPath } from '../../app/outside-address.ts'
import { useText } from '../../i18n/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoginLayout } from '../login/login-layout.tsx'
import css from './session-ended-page.module.css'

/** A session ran out: why one is here, and the way back to where one was. */
export function SessionEndedPage() {
  const again = signInPath('/login', wantedPath())
  const t = useText().app.ended
  return (
    <LoginLayout>
      <span className={css.mark}>
        <Icon name="clock" size={22} />
      </span>
      <h1 className={css.title}>{t.title}</h1>
      <p className={css.body}>{t.body}</p>
      <a
        href={toAddress(again)}
        className={css.again}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          goOutside(again)
        }}
      >
        {t.again}
      </a>
    </LoginLayout>
  )
}
