import { useLang, useText } from '../../shared/i18n/language.ts'
import { useBrand } from '../../shared/session/brand.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { LoginLayout } from '../../shared/ui/outside/login-layout.tsx'
import { OutsideLink } from '../../shared/ui/outside/outside-link.tsx'
import css from './landing-page.module.css'

/** What a brand shows to somebody it does not know yet. */
export function LandingPage() {
  const t = useText().joining.landing
  const { platformName, downloads } = useBrand()
  return (
    <LoginLayout>
      <h1 className={css.title}>{platformName[useLang()]}</h1>
      <p className={css.lead}>{t.lead}</p>
      <div className={css.ways}>
        <OutsideLink to="/login" className={css.primary}>
          {t.signIn}
        </OutsideLink>
        <OutsideLink to="/register" className={css.other}>
          {t.register}
        </OutsideLink>
      </div>
      {downloads.length > 0 && (
        <section className={css.downloads} aria-labelledby="downloads-title">
          <h2 id="downloads-title">{t.downloads}</h2>
          <ul>
            {downloads.map(({ name, url }) => (
              <li key={url}>
                <a href={url} rel="noopener">
                  <Icon name="download" />
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={css.foot}>
        <OutsideLink to="/scadaRegister">{t.scada}</OutsideLink>
      </p>
    </LoginLayout>
  )
}
