import type { Lang } from '@busbar/contract'
import { type ReactNode, useContext } from 'react'
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { useLang } from '../../i18n/language.ts'
import { DialogBox } from './dialog-box.ts'

/** The library has texts for these two; the build leaves the others out. */
const locales: Record<Lang, string> = { cn: 'zh-CN', en: 'en-GB' }

/** Gives the library's parts the console's language, and their panels a place inside the open dialog. */
export function KitScope({ children, locale }: { children: ReactNode; locale?: string }) {
  const lang = useLang()
  const dialog = useContext(DialogBox)
  return (
    <I18nProvider locale={locale ?? locales[lang]}>
      <UNSAFE_PortalProvider getContainer={() => dialog?.box.current ?? document.body}>
        {children}
      </UNSAFE_PortalProvider>
    </I18nProvider>
  )
}
