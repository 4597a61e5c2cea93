import type { Lang } from '@busbar/contract'
import { useLang, useText } from '../i18n/language.ts'
import { usePreferences } from '../session/preferences.ts'
import { switchLanguage } from '../session/switch-language.ts'
import { setTheme, useTheme } from '../session/theme.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import css from './preference-switches.module.css'
import { ToggleGroup } from './toggle-group/toggle-group.tsx'

/** A press switches the language. */
export function LanguageButton() {
  const t = useText().app.language
  const lang = useLang()
  return (
    <button
      type="button"
      className={css.language}
      data-tip={t.switchTo}
      onClick={() => void switchLanguage(lang === 'cn' ? 'en' : 'cn')}
    >
      <Icon name="globe" />
      <span lang={lang === 'cn' ? 'en' : 'zh-CN'}>{t.other}</span>
      <span className="sr-only">{t.switchTo}</span>
    </button>
  )
}

/** A press switches the theme. */
export function ThemeButton() {
  const t = useText().app.theme
  const dark = useTheme() === 'dark'
  return (
    <IconButton
      icon={dark ? 'sun' : 'moon'}
      label={dark ? t.toLight : t.toDark}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    />
  )
}

/** Both settings in full, for the user panel. */
export function PreferenceSwitches() {
  const { language, theme } = useText().app
  const lang = useLang()
  const chosen = usePreferences().theme ?? 'system'
  return (
    <dl className={css.list}>
      <dt>{language.label}</dt>
      <dd>
        <ToggleGroup<Lang>
          size="small"
          label={language.label}
          value={lang}
          onChange={(value) => void switchLanguage(value)}
          options={[
            { value: 'cn', label: language.cn },
            { value: 'en', label: language.en },
          ]}
        />
      </dd>
      <dt>{theme.label}</dt>
      <dd>
        <ToggleGroup
          size="small"
          label={theme.label}
          value={chosen}
          onChange={setTheme}
          options={[
            { value: 'light', label: theme.light },
            { value: 'dark', label: theme.dark },
            { value: 'system', label: theme.system },
          ]}
        />
      </dd>
    </dl>
  )
}
