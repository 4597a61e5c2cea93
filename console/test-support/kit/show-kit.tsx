import '../../src/shared/ui/fonts.css'
import '../../src/shared/ui/tokens.gen.css'
import '../../src/shared/ui/base.css'
import '../../src/shared/ui/inside.css'
import '../../src/shared/ui/more-icons.ts'
import { loadLanguage } from '../../src/shared/i18n/language.ts'
import { showRoot } from '../../src/shared/ui/screen.ts'
import { ToastList } from '../../src/shared/ui/toast/toast-list.tsx'
import { TooltipLayer } from '../../src/shared/ui/tooltip/tooltip-layer.tsx'
import { KitPage } from './kit-page.tsx'

/* The kit as a page of its own: `npx vite console`, then /test-support/kit/. `?theme=dark`, `?layout=narrow` and `?lang=cn`
   show its other looks. */

const asked = new URLSearchParams(location.search)
for (const name of ['theme', 'layout']) {
  const value = asked.get(name)
  if (value) document.documentElement.dataset[name] = value
}
await loadLanguage(asked.get('lang') === 'cn' ? 'cn' : 'en', 'inside')
showRoot(
  <>
    <KitPage />
    <ToastList />
    <TooltipLayer />
  </>,
)
