import { Outlet, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { changeLanguage, getLang } from '../shared/i18n/language.ts'
import { useTitle } from '../shared/session/use-title.ts'
import { ToastList } from '../shared/ui/toast/toast-list.tsx'
import { TooltipLayer } from '../shared/ui/tooltip/tooltip-layer.tsx'
import { ProgressLine } from './progress-line.tsx'

/** The frame of every screen: notices, tips, the language of its address, the brand's name as the title. */
export function RootLayout() {
  const { lang } = useSearch({ from: '__root__' })
  useEffect(() => {
    // If the texts of the other language cannot be loaded, the current ones stay.
    if (lang && lang !== getLang()) changeLanguage(lang).catch(() => {})
  }, [lang])
  useTitle(useRouterState({ select: (state) => state.location.pathname }))
  return (
    <>
      <ProgressLine />
      <Outlet />
      <ToastList />
      <TooltipLayer />
    </>
  )
}
