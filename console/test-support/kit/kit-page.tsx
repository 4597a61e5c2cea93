import type { ReactNode } from 'react'
import { KitDates, KitNumbers } from './kit-dates.tsx'
import { KitButtons, KitDialogs, KitFields, KitTips, KitToasts } from './kit-feedback.tsx'
import { KitMenus, KitTabs, KitToggles } from './kit-menus.tsx'
import css from './kit-page.module.css'
import { KitChoices, KitComboBoxes, KitSelects } from './kit-pickers.tsx'
import { KitForm, KitTable } from './kit-table.tsx'

/** Every part of the kit in its states, to be tested, measured, looked at and tried. */
export function KitPage(): ReactNode {
  return (
    <main className={css.page}>
      <h1>Kit</h1>
      <KitButtons />
      <KitMenus />
      <KitSelects />
      <KitComboBoxes />
      <KitChoices />
      <KitTabs />
      <KitToggles />
      <KitDates />
      <KitNumbers />
      <KitFields />
      <KitTips />
      <KitToasts />
      <KitDialogs />
      <KitForm />
      <KitTable />
    </main>
  )
}
