import type { ReactNode } from 'react'
import { useText } from '../../i18n/language.ts'
import { toAddress } from '../../session/address.ts'
import { useBrand } from '../../session/brand.ts'
import { BrandName } from '../brand-name.tsx'
import { classes } from '../classes.ts'
import { LanguageButton, ThemeButton } from '../preference-switches.tsx'
import { BrandPicture } from './brand-picture.tsx'
import css from './login-layout.module.css'

interface LoginLayoutProps {
  /** A form that needs the height of the screen. */
  isLong?: boolean
  children: ReactNode
}

/** The screens before the session: the brand on one side, the form on the other. */
export function LoginLayout({ isLong = false, children }: LoginLayoutProps) {
  const { icp, versions } = useBrand()
  const t = useText().app
  return (
    <div className={css.layout}>
      <aside className={css.side}>
        <p className={css.brand}>
          <BrandName markSize={28} />
        </p>
        <BrandPicture />
      </aside>
      <div className={css.panel}>
        <header className={css.tools}>
          <p className={css.smallBrand}>
            <BrandName markSize={28} />
          </p>
          <LanguageButton />
          <ThemeButton />
        </header>
        <main className={classes(css.content, isLong && css.long)}>{children}</main>
        <footer className={css.foot}>
          {versions.app && <span className="numbers">{t.version(versions.app)}</span>}
          {icp && <span>{icp}</span>}
          <a href={toAddress('/download/')}>{t.downloads}</a>
          <a href={toAddress('/apiDoc')}>API</a>
        </footer>
      </div>
    </div>
  )
}
