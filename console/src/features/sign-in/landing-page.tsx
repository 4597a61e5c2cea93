import { firstAccountKind, registerPaths } from '../../entities/account/account-entry.ts'
import { useLang, useText } from '../../shared/i18n/language.ts'
import { toAddress } from '../../shared/session/address.ts'
import { useBrand } from '../../shared/session/brand.ts'
import { useTheme } from '../../shared/session/theme.ts'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { OutsideLink } from '../../shared/ui/outside/outside-link.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import css from './landing-page.module.css'
import cnDark from './pictures/list-cn-dark.webp'
import cnLight from './pictures/list-cn-light.webp'
import enDark from './pictures/list-en-dark.webp'
import enLight from './pictures/list-en-light.webp'

/** The screen `list` of `npm run screens`, as WebP. */
const pictures = { cn: { light: cnLight, dark: cnDark }, en: { light: enLight, dark: enDark } } as const

const pointIcons = {
  monitor: 'chart',
  open: 'desktop',
  alarms: 'alarm',
  share: 'key',
} as const satisfies Record<string, IconName>
const points = Object.keys(pointIcons) as (keyof typeof pointIcons)[]

/** Shows visitors without an account what the product does. */
export function LandingPage() {
  const t = useText().joining.landing
  const lang = useLang()
  const theme = useTheme()
  const { platformName } = useBrand()
  return (
    <Stack surface="plain" className={css.page}>
      <Row as="header" padY={16} padX={24} gap={4} className={css.head}>
        <Row as="p" gap={10} inline grows size={16} className={css.brand}>
          <BrandName markSize={28} />
        </Row>
        <LanguageButton />
        <ThemeButton />
        <OutsideLink to="/login" className={css.other}>
          {t.signIn}
        </OutsideLink>
      </Row>
      <main className={css.main}>
        <Stack as="section" gap={16} align="center" to="center" className={css.opening} data-subject="">
          <h1 className={css.title}>{platformName[lang]}</h1>
          <p className={css.lead}>{t.lead}</p>
          <OutsideLink to={registerPaths[firstAccountKind()]} className={css.primary}>
            {t.register}
          </OutsideLink>
        </Stack>
        <img className={css.picture} src={pictures[lang][theme]} alt={t.picture} width={1440} height={900} />
        <ul className={css.points}>
          {points.map((point) => (
            <li key={point}>
              <Icon name={pointIcons[point]} size={20} />
              <h2>{t.points[point].title}</h2>
              <p>{t.points[point].body}</p>
            </li>
          ))}
        </ul>
        <Downloads />
      </main>
      <Foot />
    </Stack>
  )
}

function Downloads() {
  const t = useText().joining.landing
  const { downloads } = useBrand()
  if (downloads.length === 0) return null
  return (
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
  )
}

function Foot() {
  const { app, joining } = useText()
  const { icp, versions } = useBrand()
  return (
    <footer className={css.foot}>
      <OutsideLink to="/scadaRegister">{joining.landing.scada}</OutsideLink>
      <a href={toAddress('/apiDoc')}>API</a>
      {versions.app && <span className="numbers">{app.version(versions.app)}</span>}
      {icp && <span>{icp}</span>}
    </footer>
  )
}
