import type { ReactNode } from 'react'
import { useBrand } from '../../app/brand.ts'
import { BrandName } from '../../app/brand-name.tsx'
import { LanguageButton, ThemeButton } from '../../app/preference-switches.tsx'
import { useText } from '../../i18n/language.ts'
import { BrandPicture } from './brand-picture.tsx'
import css from './login-layout.module.css'

/** The screens before the session: the brand on one side, what there is to do on the other. */
export function LoginLayout({ children }: { children: ReactNode }) {
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
        <main className={css.content}>{children}</main>
        <footer className={css.foot}>
          {versions.app && <span className="numbers">{t.version(versions.app)}</span>}
          {icp && <span>{icp}</span>}
        </footer>
      </div>
    </div>
  )
}
