import { Link } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import frame from '../../shared/ui/side-page.module.css'

/** For people without a key of the machine, from the start or since a moment ago. */
export function NoAccess() {
  const t = useText().access.noAccess
  return (
    <div className={frame.page}>
      <div className={frame.corner}>
        <LanguageButton />
        <ThemeButton />
      </div>
      <Stack as="main" align="center" justify="center" grows to="center" className={frame.refused}>
        <span className={frame.mark}>
          <Icon name="lock" size={20} />
        </span>
        <h1>{t.title}</h1>
        <p>{t.hint}</p>
        <Link to="/index/" className={frame.way}>
          {t.back}
        </Link>
      </Stack>
    </div>
  )
}
