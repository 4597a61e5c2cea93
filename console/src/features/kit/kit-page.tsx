import type { ReactNode } from 'react'
import { useLang } from '../../shared/i18n/language.ts'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import { KitDates, KitNumbers } from './kit-dates.tsx'
import { KitButtons, KitDialogs, KitFields, KitTips, KitToasts } from './kit-feedback.tsx'
import { KitMenus, KitTabs, KitToggles } from './kit-menus.tsx'
import css from './kit-page.module.css'
import { KitPickers } from './kit-pickers.tsx'
import { KitForm, KitTable } from './kit-table.tsx'
import { kitTexts } from './kit-text.ts'

/** Every part of the kit in its states, to be looked at and tried. */
export function KitPage(): ReactNode {
  const t = kitTexts[useLang()]
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div className={css.words}>
          <h1>{t.title}</h1>
          <p>{t.lead}</p>
        </div>
        <LanguageButton />
        <ThemeButton />
      </header>
      <main className={css.parts}>
        <KitButtons t={t} />
        <KitMenus t={t} />
        <KitPickers t={t} />
        <KitTabs t={t} />
        <KitToggles t={t} />
        <KitDates t={t} />
        <KitNumbers t={t} />
        <KitFields t={t} />
        <KitTips t={t} />
        <KitToasts t={t} />
        <KitDialogs t={t} />
        <KitForm t={t} />
        <KitTable t={t} />
      </main>
    </div>
  )
}
